import { readFileSync } from "node:fs"
import { registerHooks, type ResolveHookContext } from "node:module"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { pluginShim, zodShim } from "./shims.ts"

const PLUGIN = /^@(?:opencode-ai|pawl)\/plugin(?:\/tool)?$/
const ZOD = /^zod(?:\/v4)?$/
const RELATIVE = /^\.{1,2}(?:\/|$)/
const SUFFIXES = [".ts", ".js", ".mjs", "/index.ts", "/index.js"]

/** While they are there, files that are let in find what authors of tools count on. All other modules resolve as always. */
export interface ResolveHooks {
  /** Lets a file in, and with it the files that it imports, but for installed packages. `url`: of the file. */
  letIn(url: string): void
  remove(): void
}

type Next = Parameters<NonNullable<Parameters<typeof registerHooks>[0]["resolve"]>>[2]

export function addResolveHooks(): ResolveHooks {
  const own = new Set<string>()
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "" } = context
      const isOwn = own.has(specifier) || own.has(withoutQuery(parentURL))
      if (!isOwn) return next(specifier, context)
      const resolved = resolve(specifier, context, next)
      if (!resolved.url.startsWith("file:") || [pluginShim, zodShim].includes(resolved.url)) return resolved
      if (resolved.url.includes("/node_modules/")) return resolved
      own.add(withoutQuery(resolved.url))
      const format = resolved.format ?? formatOf(resolved.url)
      return format === undefined ? resolved : { ...resolved, format }
    },
  })
  return { letIn: (url) => void own.add(url), remove: () => hooks.deregister() }
}

function resolve(specifier: string, context: ResolveHookContext, next: Next): ReturnType<Next> {
  if (PLUGIN.test(specifier)) return { url: pluginShim, shortCircuit: true }
  try {
    return next(specifier, context)
  } catch (error) {
    if (!isNotFound(error)) throw error
    if (ZOD.test(specifier)) return { url: zodShim, shortCircuit: true }
    if (!RELATIVE.test(specifier)) throw error
    for (const suffix of SUFFIXES) {
      const found = attempt(() => next(specifier + suffix, context))
      if (found) return found
    }
    throw error
  }
}

/** Where no package says what a file is, Node would parse it twice to find out, and say so. */
function formatOf(url: string): string | undefined {
  const path = fileURLToPath(url)
  const extension = extname(path)
  if (extension !== ".ts" && extension !== ".js") return undefined
  const text = attempt(() => readFileSync(path, "utf8")) ?? ""
  if (!/^\s*(?:import|export)\b/m.test(text)) return undefined
  return extension === ".ts" ? "module-typescript" : "module"
}

function isNotFound(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "ERR_MODULE_NOT_FOUND" || code === "ERR_UNSUPPORTED_DIR_IMPORT"
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "")
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

import { readFileSync } from "node:fs"
import { type ImportAttributes, type LoadHookContext, type ResolveHookContext, registerHooks } from "node:module"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { withBunMeta } from "./bun-meta.ts"
import { isInstalled, type ModuleGraph, withoutQuery } from "./module-graph.ts"
import { type ModuleNames, resolveLoosely } from "./resolution.ts"
import { hasModuleSyntax, sourceKind, valueModule } from "./source-kind.ts"
import { type stripTypes } from "./strip-types.ts"

export interface ModuleHooks {
  /** Resolves a specifier of a module in the graph. Throws Node's error. */
  resolve(specifier: string, parent: string): string
  /** Returns true if Node has loaded this module since the hooks were added. */
  hasLoaded(url: string): boolean
  /** Returns the source map of a module whose line numbers changed. */
  map(url: string): string | undefined
  /** Call it for a module that is run again with unchanged line numbers. */
  forgetMap(url: string): void
  remove(): void
}

type ResolveNext = Parameters<NonNullable<Parameters<typeof registerHooks>[0]["resolve"]>>[2]
type LoadNext = Parameters<NonNullable<Parameters<typeof registerHooks>[0]["load"]>>[2]

export interface ModuleHooksDeps {
  readonly graph: ModuleGraph
  readonly names: ModuleNames
  readonly strip: typeof stripTypes
}

/** Handles the modules of the graph; all others are not affected. `id` must be unique in the process. */
export function addModuleHooks({ graph, names, strip }: ModuleHooksDeps, id: string): ModuleHooks {
  const ask = `pawl-resolve-${id}:`
  const loaded = new Set<string>()
  const maps = new Map<string, string>()
  const targets = new Set([...Object.values(names.aliases), ...Object.values(names.fallbacks)])

  function resolve(specifier: string, context: ResolveHookContext, next: ResolveNext): ReturnType<ResolveNext> {
    const parent = withoutQuery(context.parentURL ?? "")
    if (!graph.has(parent)) {
      // The import of the entry itself, from this package.
      return graph.has(specifier) && specifier.startsWith("file:")
        ? withFormat(next(specifier, context))
        : next(specifier, context)
    }
    const named = (url: string): ReturnType<ResolveNext> => ({ url, shortCircuit: true })
    const resolved = resolveLoosely(specifier, names, (each) => next(each, context), named)
    const url = withoutQuery(resolved.url)
    if (!url.startsWith("file:") || targets.has(url)) return resolved
    graph.addImport(parent, url)
    return withFormat(resolved)
  }

  function load(url: string, context: LoadHookContext, next: LoadNext): ReturnType<LoadNext> {
    const bare = withoutQuery(url)
    if (!bare.startsWith("file:") || !graph.has(bare)) return next(url, context)
    loaded.add(bare)
    const kind = sourceKind(bare, attribute(context))
    // Required JSON, and JSON imported `with { type: "json" }`, is left to Node.
    const isNodes =
      kind === "node" ||
      (kind === "json" && (attribute(context) !== undefined || context.conditions.includes("require")))
    if (isNodes && isInstalled(bare)) return asInBun(next(url, context))
    const content = readFileSync(fileURLToPath(bare))
    graph.wasRead(bare, content)
    if (isNodes) return asInBun(next(url, context))
    const text = content.toString()
    if (kind !== "typescript") return { format: "module", source: valueModule(kind, text), shortCircuit: true }
    const { code, map } = strip(text, bare)
    if (map !== undefined) maps.set(bare, map)
    return asInBun({ format: typescriptFormat(bare, code, context.format), source: code, shortCircuit: true })
  }

  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith(ask)) return resolve(specifier, context, next)
      const [parentURL, asked] = JSON.parse(specifier.slice(ask.length)) as [string, string]
      return { ...resolve(asked, { ...context, parentURL }, next), shortCircuit: true }
    },
    load,
  })
  return {
    resolve: (specifier, parent) => import.meta.resolve(ask + JSON.stringify([parent, specifier])),
    hasLoaded: (url) => loaded.has(url),
    map: (url) => maps.get(url),
    forgetMap: (url) => void maps.delete(url),
    remove: () => hooks.deregister(),
  }
}

function asInBun(loaded: ReturnType<LoadNext>): ReturnType<LoadNext> {
  const { format, source } = loaded
  if (format !== "module" || source === undefined || source === null) return loaded
  const text = typeof source === "string" ? source : new TextDecoder().decode(source)
  const changed = withBunMeta(text)
  return changed === text ? loaded : { ...loaded, source: changed }
}

/** A required module has no attributes, although the types say so. */
function attribute({ importAttributes }: { readonly importAttributes?: ImportAttributes }): string | undefined {
  return importAttributes?.["type"]
}

function typescriptFormat(url: string, code: string, known: string | null | undefined): "module" | "commonjs" {
  if (url.endsWith(".cts")) return "commonjs"
  if (url.endsWith(".mts") || hasModuleSyntax(code)) return "module"
  return known?.startsWith("commonjs") ? "commonjs" : "module"
}

/** Without a package type, Node would parse the file twice and print a warning. */
function withFormat(resolved: ReturnType<ResolveNext>): ReturnType<ResolveNext> {
  const url = withoutQuery(resolved.url)
  if (resolved.format || !url.startsWith("file:") || isInstalled(url) || extname(url) !== ".js") return resolved
  let text: string
  try {
    text = readFileSync(fileURLToPath(url), "utf8")
  } catch {
    return resolved
  }
  return hasModuleSyntax(text) ? { ...resolved, format: "module" } : resolved
}

import { readFile } from "node:fs/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { ResolveHooks } from "./resolve-hooks.ts"
import type { UserToolProblem } from "./tool-file.ts"

/** What a file exports, by name; or why it cannot be had. */
export type Imported = { readonly exports: Readonly<Record<string, unknown>> } | { readonly problem: UserToolProblem }

/** Runs the file. What hangs on its way, other than in a loop, is given up after `deadline` milliseconds. */
export async function importFile(file: string, hooks: ResolveHooks, deadline: number): Promise<Imported> {
  const url = pathToFileURL(file).href
  hooks.letIn(url)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`It was not loaded within ${deadline / 1000} seconds.`)), deadline)
  try {
    // The comment keeps bundlers from looking for it.
    const loaded: unknown = await Promise.race([import(/* @vite-ignore */ url), late])
    return { exports: { ...(loaded as Record<string, unknown>) } }
  } catch (error) {
    return { problem: await toProblem(file, url, error) }
  } finally {
    clearTimeout(timer)
  }
}

async function toProblem(file: string, url: string, error: unknown): Promise<UserToolProblem> {
  const { place, message } = await described(file, url, error)
  return {
    file: place?.file ?? file,
    ...(place ? { line: place.line } : {}),
    message: `It cannot be loaded: ${message}`,
  }
}

interface Described {
  readonly message: string
  readonly place?: { readonly file: string; readonly line: number } | undefined
}

async function described(file: string, url: string, error: unknown): Promise<Described> {
  if (!(error instanceof Error)) return { message: `it threw ${shown(error)}.` }
  const code = "code" in error ? error.code : undefined
  const message = sentence(error.message)
  if (code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") {
    const rewrite = "Only types that can be left out are understood: no enum, namespace or parameter property."
    return { message: `${message} ${rewrite}`, place: headPlace(error) }
  }
  if (code === "ERR_INVALID_TYPESCRIPT_SYNTAX") return { message, place: headPlace(error) }
  if (code === "ERR_MODULE_NOT_FOUND") {
    const name = /'([^']+)'/.exec(error.message)?.[1]
    const line = name === undefined ? undefined : await lineOf(file, name)
    return { message, place: line === undefined ? undefined : { file, line } }
  }
  return { message, place: stackPlace(error, url) }
}

/** Node puts the place in front of the stack of what it cannot parse. */
function headPlace({ stack = "" }: Error): Described["place"] {
  const [, file, line] = /^(?:file:\/\/)?(\/[^\n]+):(\d+)$/m.exec(stack.split("\n")[0] ?? "") ?? []
  return file === undefined ? undefined : { file, line: Number(line) }
}

function stackPlace({ stack = "" }: Error, url: string): Described["place"] {
  for (const [, at = "", line] of stack.matchAll(/(file:\/\/\/?[^\s()]+?):(\d+):\d+/g)) {
    if (at.split("/").slice(0, -1).join("/").startsWith(url.split("/").slice(0, -1).join("/"))) {
      return { file: fileURLToPath(at), line: Number(line) }
    }
  }
  return undefined
}

async function lineOf(file: string, name: string): Promise<number | undefined> {
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n")
  const at = lines.findIndex((line) => line.includes(`"${name}"`) || line.includes(`'${name}'`))
  return at < 0 ? undefined : at + 1
}

function sentence(text: string): string {
  const line = text.split("\n")[0]?.trim() ?? ""
  return /[.!?]$/.test(line) ? line : `${line || "an error without a message"}.`
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : typeof value
}

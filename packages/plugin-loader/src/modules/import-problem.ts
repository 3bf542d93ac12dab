import { readFile } from "node:fs/promises"
import { SourceMap } from "node:module"
import { fileURLToPath } from "node:url"
import { CompileError } from "./compile-error.ts"
import { isNotFound } from "./resolution.ts"

/** Why a module cannot be had. */
export interface ImportProblem {
  /** Absolute: the file that is wrong, which may be one that the module imports. */
  readonly file: string
  /** From 1, where it is known. */
  readonly line?: number
  /** Sentences that name neither: what is wrong and, where that is known, what to do. */
  readonly message: string
}

interface Place {
  readonly file: string
  readonly line: number
}

/** `url`: of the module that was to be imported; `map`: source maps of modules whose lines moved. */
export async function toImportProblem(
  url: string,
  error: unknown,
  map: (url: string) => string | undefined,
): Promise<ImportProblem> {
  const file = fileURLToPath(url)
  const { place, message } = await described(url, error, map)
  return {
    file: place?.file ?? file,
    ...(place ? { line: place.line } : {}),
    message: `It cannot be loaded: ${message}`,
  }
}

async function described(
  url: string,
  error: unknown,
  map: (url: string) => string | undefined,
): Promise<{ message: string; place?: Place | undefined }> {
  if (!(error instanceof Error)) return { message: `it threw ${shown(error)}.` }
  if (error instanceof CompileError) {
    return { message: sentence(error.message), place: { file: fileURLToPath(error.url), line: error.line } }
  }
  if (isNotFound(error)) return await notFound(url, error)
  const message = sentence(error.message)
  if (error instanceof SyntaxError) {
    return { message, place: headPlace(error) ?? stackPlace(error, url, map) }
  }
  return { message, place: stackPlace(error, url, map) }
}

async function notFound(url: string, error: Error): Promise<{ message: string; place?: Place | undefined }> {
  const [, name, from] = /'([^']+)'(?:.* imported from (\S+))?/.exec(error.message) ?? []
  const file = from?.startsWith("/") ? from : fileURLToPath(url)
  const line = name === undefined ? undefined : await lineOf(file, name)
  return {
    message: [sentence(error.message), nextStep(name)].filter(Boolean).join(" "),
    place: line === undefined ? undefined : { file, line },
  }
}

function nextStep(name: string | undefined): string {
  if (name === undefined) return ""
  if (name === "bun" || name.startsWith("bun:")) return "It is written for Bun; pawl runs on Node."
  if (name.startsWith("/") || name.startsWith(".") || name.startsWith("file:")) return ""
  return `Install ${name} beside the file, or leave the import out.`
}

/** Node puts the place in front of the stack of what it cannot parse or link. */
function headPlace({ stack = "" }: Error): Place | undefined {
  const [, path = "", line] = /^((?:file:\/\/)?\/[^\n]+?):(\d+)$/m.exec(stack.split("\n")[0] ?? "") ?? []
  return line === undefined ? undefined : { file: toPath(path), line: Number(line) }
}

/** The first place that lies beside the module or below. */
function stackPlace({ stack = "" }: Error, url: string, map: (url: string) => string | undefined): Place | undefined {
  const directory = url.slice(0, url.lastIndexOf("/") + 1)
  for (const [, at = "", line, column] of stack.matchAll(/(file:\/\/\/?[^\s()]+?|\/[^\s():]+):(\d+):(\d+)/g)) {
    const found = at.startsWith("file:") ? at : `file://${at}`
    if (!found.startsWith(directory)) continue
    return { file: fileURLToPath(found), line: originalLine(map(found), Number(line), Number(column)) }
  }
  return undefined
}

function originalLine(map: string | undefined, line: number, column: number): number {
  if (map === undefined) return line
  const entry = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]).findEntry(
    line - 1,
    column - 1,
  )
  return "originalLine" in entry ? entry.originalLine + 1 : line
}

function toPath(place: string): string {
  return place.startsWith("file:") ? fileURLToPath(place) : place
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

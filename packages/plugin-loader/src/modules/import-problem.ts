import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { CompileError } from "./compile-error.ts"
import { type FileLine, lineOf } from "./file-line.ts"
import { isNotFound } from "./resolution.ts"

/** Why a module cannot be imported. */
export interface ImportProblem {
  /** Absolute path of the wrong file, which may be an import of the module. */
  readonly file: string
  /** From 1; missing if unknown. */
  readonly line?: number
  /** The problem and, if known, the next step. Names neither file nor line. */
  readonly message: string
}

type Position = Omit<FileLine, "line"> & Partial<FileLine>

/** `url` is the module to import. `map` returns source maps of modules whose line numbers changed. */
export async function toImportProblem(
  url: string,
  error: unknown,
  map: (url: string) => string | undefined,
): Promise<ImportProblem> {
  const file = fileURLToPath(url)
  const { place, message } = await described(url, error, map)
  return {
    file: place?.file ?? file,
    ...(place?.line === undefined ? {} : { line: place.line }),
    message: `It cannot be loaded: ${message}`,
  }
}

async function described(
  url: string,
  error: unknown,
  map: (url: string) => string | undefined,
): Promise<{ message: string; place?: Position | undefined }> {
  if (!(error instanceof Error)) return { message: `it threw ${shown(error)}.` }
  if (error instanceof CompileError) {
    return { message: sentence(error.message), place: { file: fileURLToPath(error.url), line: error.line } }
  }
  if (isNotFound(error)) return await notFound(url, error)
  const message = sentence(error.message)
  if (error instanceof SyntaxError) {
    return { message, place: headPosition(error) ?? lineOf(error, { beside: url, map }) }
  }
  return { message, place: lineOf(error, { beside: url, map }) }
}

async function notFound(url: string, error: Error): Promise<{ message: string; place?: Position | undefined }> {
  const [, name, importer] = /'([^']+)'(?:.* imported from (\S+))?/.exec(error.message) ?? []
  const [first] = (error as { requireStack?: readonly string[] }).requireStack ?? []
  const from = importer?.startsWith("file:") ? fileURLToPath(importer) : (importer ?? first)
  const file = from?.startsWith("/") ? from : fileURLToPath(url)
  const line = name === undefined ? undefined : await lineNaming(file, name)
  return {
    message: [sentence(error.message), await nextStep(name, file)].filter(Boolean).join(" "),
    place: line === undefined && file === fileURLToPath(url) ? undefined : { file, ...(line ? { line } : {}) },
  }
}

/** `file` is the importing file. */
async function nextStep(name: string | undefined, file: string): Promise<string> {
  if (name === undefined) return ""
  if (name === "bun" || name.startsWith("bun:")) return "It is written for Bun; pawl runs on Node."
  const isPath = /^(?:\/|\.|file:)/.test(name)
  const owner = await packageOf(isPath ? name : file)
  if (isPath) return owner ? `A file of the package ${owner.title} is missing: install it again.` : ""
  const missing = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name
  if (!owner) return `Install ${missing} beside the file, or leave the import out.`
  const needs = `The package ${owner.title} needs ${missing}`
  return owner.names.has(missing)
    ? `${needs}, which is not installed: install the plugin's packages again.`
    : `${needs} without naming it among its dependencies: install ${missing} beside it, or tell its author.`
}

/** Returns the installed package that contains a file. */
async function packageOf(file: string) {
  const [directory, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/s.exec(file) ?? []
  if (directory === undefined || name === undefined) return undefined
  const text = await readFile(join(directory, "package.json"), "utf8").catch(() => "{}")
  const { version, ...manifest } = parsed(text)
  const lists = [manifest["dependencies"], manifest["optionalDependencies"], manifest["peerDependencies"]]
  const names = new Set(lists.flatMap((list) => Object.keys(list ?? {})))
  return { title: typeof version === "string" ? `${name} ${version}` : name, names }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

/** Node puts the position before the stack if it cannot parse or link a module. */
function headPosition({ stack = "" }: Error): FileLine | undefined {
  const [, path = "", line] = /^((?:file:\/\/)?\/[^\n]+?):(\d+)$/m.exec(stack.split("\n")[0] ?? "") ?? []
  return line === undefined ? undefined : { file: toPath(path), line: Number(line) }
}

function toPath(place: string): string {
  return place.startsWith("file:") ? fileURLToPath(place) : place
}

async function lineNaming(file: string, name: string): Promise<number | undefined> {
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n")
  const at = lines.findIndex((line) =>
    [`"${name}"`, `'${name}'`, `"${name}/`, `'${name}/`].some((each) => line.includes(each)),
  )
  return at < 0 ? undefined : at + 1
}

function sentence(text: string): string {
  const line = text.split("\n")[0]?.trim() ?? ""
  return /[.!?]$/.test(line) ? line : `${line || "an error without a message"}.`
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : typeof value
}

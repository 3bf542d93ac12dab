import { quoted } from "./escape.ts"
import { createQuotingReader, type Quoting } from "./quoting.ts"

/** Bytes that a script reads from or writes to where a file would stand. */
export interface ScriptFile {
  /** The variable that has to hold the path of the file. */
  readonly variable: string
  readonly direction: "in" | "out"
  readonly value: object
}

export interface Script {
  /** Sets what is interpolated; in front of the text. */
  readonly prelude: string
  readonly text: string
  readonly files: readonly ScriptFile[]
}

/**
 * The script of a template. Every value is a variable of the shell, set from a text in single quotes, so that nothing in
 * it is ever read as code; `{ raw }` alone goes in as it stands. An array is as many words. Throws SyntaxError for what
 * Bun's shell does not understand either, and bash would take to mean something else around a value.
 */
export function createScript(pieces: readonly string[], values: readonly unknown[]): Script {
  const quoting = createQuotingReader()
  const assignments: string[] = []
  const files: ScriptFile[] = []
  let text = ""

  function variable(value: string): string {
    const name = `__pawl_${assignments.length}`
    assignments.push(`${name}=${quoted(value)}\n`)
    return name
  }

  function written(value: unknown, around: Quoting): string {
    if (Array.isArray(value)) return (value as unknown[]).map((each) => written(each, around)).join(" ")
    if (isRaw(value)) return value.raw
    const direction = directionAt(text)
    if (direction && isBytes(value)) {
      const name = `__pawl_file_${files.length}`
      files.push({ variable: name, direction, value })
      return reference(name, around)
    }
    return reference(variable(textOf(value)), around)
  }

  for (const [at, piece] of pieces.entries()) {
    text += piece
    const around = quoting.read(piece)
    if (at >= values.length) continue
    const insertion = written(values[at], around)
    text += insertion
    // What was meant as code may open and close quotes.
    if (isRaw(values[at])) quoting.read(insertion)
  }
  const [foreign] = quoting.foreign
  if (foreign !== undefined) {
    throw new SyntaxError(
      `There is no ${foreign.replace(/^an? /, "")} in the shell of Bun's $, and none here: ${remedy(foreign)}.`,
    )
  }
  return { prelude: assignments.join(""), text, files }
}

function remedy(foreign: string): string {
  return foreign.startsWith("a here")
    ? "redirect a value into it, as in < ${Buffer.from(text)}"
    : "do not await it, or use Bun.spawn"
}

function reference(name: string, around: Quoting): string {
  const plain = `\${${name}}`
  if (around === "double") return plain
  return around === "single" ? `'"${plain}"'` : `"${plain}"`
}

function isRaw(value: unknown): value is { readonly raw: string } {
  return typeof value === "object" && value !== null && "raw" in value && typeof value.raw === "string"
}

/** What a value says as a word: the path of a file of Bun's, the text of all others. */
function textOf(value: unknown): string {
  if (typeof value === "object" && value !== null && "isBunFile" in value && "name" in value) return String(value.name)
  return String(value)
}

function directionAt(text: string): ScriptFile["direction"] | undefined {
  if (/<\s*$/.test(text)) return "in"
  return />\s*$/.test(text) ? "out" : undefined
}

function isBytes(value: unknown): value is object {
  if (typeof value !== "object" || value === null || "isBunFile" in value) return false
  return (
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer ||
    value instanceof Blob ||
    value instanceof Response ||
    value instanceof ReadableStream
  )
}

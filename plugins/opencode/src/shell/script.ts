import { quoted } from "./escape.ts"
import { createQuotingReader, type Quoting } from "./quoting.ts"

/** Bytes that a script reads from or writes to instead of a file. */
export interface ScriptFile {
  /** The name of the variable that must contain the path of the file. */
  readonly variable: string
  readonly direction: "in" | "out"
  readonly value: object
}

export interface Script {
  /** Assigns the interpolated values; precedes the text. */
  readonly prelude: string
  readonly text: string
  readonly files: readonly ScriptFile[]
}

/**
 * Creates the script of a template. Each value becomes a shell variable that is assigned from single-quoted text, so
 * values are never read as code, except `{ raw }`, which is inserted unchanged. An array becomes several words. Throws
 * SyntaxError for constructs that Bun's shell does not support and that would give a value another meaning in bash.
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
    // Raw text may open and close quotes.
    if (isRaw(values[at])) quoting.read(insertion)
  }
  const [unsupported] = quoting.unsupported
  if (unsupported !== undefined) {
    throw new SyntaxError(
      `There is no ${unsupported.replace(/^an? /, "")} in the shell of Bun's $, and none here: ${remedy(unsupported)}.`,
    )
  }
  return { prelude: assignments.join(""), text, files }
}

function remedy(unsupported: string): string {
  return unsupported.startsWith("a here")
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

/** Returns a value as a word: the path of a `BunFile`, or the text of any other value. */
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

import type { createScanner as CreateScanner } from "jsonc-parser"
import { isDeepStrictEqual } from "node:util"
import type { KeyPath } from "./key-path.ts"
import { isPermission } from "./merge.ts"

/**
 * Returns the text of a configuration file with another value at a path. `undefined` removes the path. Keeps comments
 * and layout. Treats a text without a value as an empty object. Rejects with a TypeError if the text is invalid.
 */
export async function editDocument(text: string, path: KeyPath, value: unknown): Promise<string> {
  const [{ applyEdits, modify }, { parseDocument }] = await Promise.all([
    import("jsonc-parser"),
    import("./document.ts"),
  ])
  const { locate, findings } = parseDocument(text)
  if (locate === undefined) throw new TypeError(findings[0]?.message ?? "It is not valid JSON.")
  if (value === undefined) return await without(text, path)
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: indentOf(text), eol }
  const start = text.replace(/^\uFEFF/, "").trim() === "" ? `{}${eol}` : text
  return applyEdits(start, modify(start, [...path], value, { formattingOptions }))
}

/** Maximum number of values that one merge changes. Each is an edit of the whole text. */
const MAX_CHANGES = 1000

/**
 * Returns the text of a configuration file with a part merged into it: objects key by key, all else replaced. Keeps
 * comments and layout, and the text itself if nothing differs. Rejects with a TypeError if the text is invalid, and with
 * a RangeError if the part changes too many values. Validates nothing.
 */
export async function mergeIntoDocument(text: string, part: Readonly<Record<string, unknown>>): Promise<string> {
  const changes = changesOf(await documentValue(text), part, [])
  if (changes.length > MAX_CHANGES) {
    throw new RangeError(`${changes.length} values would change: change at most ${MAX_CHANGES} at once.`)
  }
  let edited = text
  for (const { path, value } of changes) edited = await editDocument(edited, path, value)
  return edited
}

interface Change {
  readonly path: KeyPath
  readonly value: unknown
}

function changesOf(there: unknown, part: unknown, path: KeyPath): Change[] {
  if (isDeepStrictEqual(there, part)) return []
  if (!isFields(part)) return [{ path, value: part }]
  if (isPermission(path) && typeof there === "string") {
    // A single action is a rule for everything. It stays, and further rules follow it.
    const rules = { "*": there }
    const changes = changesOf(rules, part, path)
    return changes.length === 0 ? [] : [{ path, value: rules }, ...changes]
  }
  if (!isFields(there)) return [{ path, value: part }]
  return Object.entries(part).flatMap(([key, value]) => {
    return changesOf(Object.hasOwn(there, key) ? there[key] : undefined, value, [...path, key])
  })
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Parses the text of a configuration file without validation. Returns an empty object for invalid JSON. */
export async function documentValue(text: string): Promise<unknown> {
  const { parseDocument } = await import("./document.ts")
  return parseDocument(text).value
}

function indentOf(text: string): number {
  return /^( +)\S/m.exec(text)?.[1]?.length ?? 2
}

/** Removes a key. The parser's own function also removes comments of the neighbours. */
async function without(text: string, path: KeyPath): Promise<string> {
  const { createScanner, findNodeAtLocation, parseTree } = await import("jsonc-parser")
  const root = parseTree(text, [], { allowTrailingComma: true })
  const found = root && findNodeAtLocation(root, [...path])
  const node = found?.parent?.type === "property" ? found.parent : found
  if (!node) return text
  const end = node.offset + node.length
  const siblings = node.parent?.children ?? []
  const before = siblings[siblings.indexOf(node) - 1]
  const comma = commaBehind(text, end, createScanner)
  if (comma === end) return withoutRange(text, node.offset, end + 1)
  if (comma !== undefined) return withoutRange(withoutRange(text, comma, comma + 1), node.offset, end)
  const rest = withoutRange(text, node.offset, end)
  const last = before && commaBehind(text, before.offset + before.length, createScanner)
  return last === undefined ? rest : withoutRange(rest, last, last + 1)
}

function commaBehind(text: string, end: number, createScanner: typeof CreateScanner): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(end)
  scanner.scan()
  return text[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() : undefined
}

/** Removes a range, and its line if nothing else is on that line. */
function withoutRange(text: string, from: number, to: number): string {
  const [lead = ""] = /[ \t]*$/.exec(text.slice(0, from)) ?? []
  const start = from - lead.length
  const [rest = ""] = /^[ \t]*\r?\n/.exec(text.slice(to)) ?? []
  const isAlone = rest !== "" && (start === 0 || text[start - 1] === "\n")
  return isAlone ? text.slice(0, start) + text.slice(to + rest.length) : text.slice(0, from) + text.slice(to)
}

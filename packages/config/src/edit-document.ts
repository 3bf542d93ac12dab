import type { createScanner as CreateScanner } from "jsonc-parser"
import { setImmediate as nextTurn } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { type KeyPath, valueAt } from "./key-path.ts"
import { isPermission } from "./merge.ts"
import { isFields } from "./opencode/draft.ts"

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

/** Maximum number of edits of one merge. Each parses the whole text. */
const MAX_CHANGES = 100

/**
 * Returns the text of a configuration file with a part merged into it: objects key by key, all else replaced. Permission
 * rules of the part come last, in its order, since the last rule decides. Keeps comments and layout, except in a table of
 * rules that changes its order, and the text itself if nothing differs. Rejects with a TypeError if the text is invalid,
 * and with a RangeError if the part changes too many values. Validates nothing.
 */
export async function mergeIntoDocument(text: string, part: Readonly<Record<string, unknown>>): Promise<string> {
  const changes = changesOf(await documentValue(text), part, [])
  if (changes.length > MAX_CHANGES) {
    throw new RangeError(`${changes.length} values would change: change at most ${MAX_CHANGES} at once.`)
  }
  let edited = text
  for (const { path, value } of changes) {
    // Other work goes on between edits of a long text.
    await nextTurn()
    edited = await editDocument(edited, path, value)
  }
  return edited === text || text.trim().includes("\n") ? edited : await inLines(edited)
}

interface Change {
  readonly path: KeyPath
  readonly value: unknown
}

function changesOf(there: unknown, part: unknown, path: KeyPath): Change[] {
  if (isPermission(path)) return ruleChanges(there, part, path)
  if (!isFields(there) || !isFields(part)) return isDeepStrictEqual(there, part) ? [] : [{ path, value: part }]
  return Object.entries(part).flatMap(([key, value]) => changesOf(valueAt(there, [key]), value, [...path, key]))
}

function ruleChanges(there: unknown, part: unknown, path: KeyPath): Change[] {
  const before = asRules(there)
  if (!before || !isFields(part)) return there === part ? [] : [{ path, value: part }]
  const rules = mergedRules(before, part)
  if (JSON.stringify(rules) === JSON.stringify(before)) return []
  const names = Object.keys(rules)
  const keepsOrder = isFields(there) && Object.keys(there).every((name, at) => names[at] === name)
  if (!keepsOrder) return [{ path, value: rules }]
  return Object.entries(part).flatMap(([name, value]) => ruleChanges(valueAt(there, [name]), value, [...path, name]))
}

/** A single action is a rule for everything. */
function asRules(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === "string") return { "*": value }
  return isFields(value) ? value : undefined
}

function mergedRules(before: Readonly<Record<string, unknown>>, part: Readonly<Record<string, unknown>>): object {
  const kept = Object.entries(before).filter(([name]) => !Object.hasOwn(part, name))
  const added = Object.entries(part).map(([name, value]) => {
    const rules = asRules(valueAt(before, [name]))
    return [name, rules && isFields(value) ? mergedRules(rules, value) : value] as const
  })
  return Object.fromEntries([...kept, ...added])
}

/** A text of one line would get some lines with each change. */
async function inLines(text: string): Promise<string> {
  const { applyEdits, format } = await import("jsonc-parser")
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: "\n" }))
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

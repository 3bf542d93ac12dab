import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { BAR, foreignLines } from "./foreign-lines.ts"
import { type DiffLine, parseDiff, withLittleContext } from "./diff-lines.ts"
import { plural } from "./quantity.ts"
import type { Theme } from "./theme.ts"

const MAX_ROWS = 20
const MAX_COMPARED_BYTES = 1024 * 1024
const MAX_DIFF_LENGTH = 32 * 1024

export interface ProposingCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The change that a call of an editing tool would make. */
export interface ProposedChange {
  readonly lines: readonly DiffLine[]
  /** The text is replaced wherever the file holds it. */
  readonly isEverywhere: boolean
}

/**
 * Returns the change that a call of an editing tool asks for; undefined for other calls. `file`: the absolute path whose
 * content is compared with what would be written.
 */
export async function proposedChange(
  { tool, input }: ProposingCall,
  file: unknown,
): Promise<ProposedChange | undefined> {
  const { content, patchText, edits, replaceAll } = input
  const change = (lines: readonly DiffLine[]) => ({ lines, isEverywhere: replaceAll === true })
  if (tool === "edit") return change(await editedLines(input))
  if (tool === "multiedit" && Array.isArray(edits)) return change((await Promise.all(edits.map(editedLines))).flat())
  if (tool === "apply_patch" && typeof patchText === "string") return change(patchLines(patchText))
  if (tool !== "write" || typeof content !== "string") return undefined
  return change(await comparedLines(typeof file === "string" ? await readShort(file).catch(() => "") : "", content))
}

async function editedLines(edit: unknown): Promise<readonly DiffLine[]> {
  const { oldString, newString } = (edit ?? {}) as { readonly [key: string]: unknown }
  return typeof oldString === "string" && typeof newString === "string" ? comparedLines(oldString, newString) : []
}

async function comparedLines(before: string, after: string): Promise<readonly DiffLine[]> {
  // A unified diff leaves out what makes it too long.
  if (before === "" || before.length + after.length > MAX_DIFF_LENGTH) return replacedLines(before, after)
  const { unifiedDiff } = await import("@pawl/tools")
  return withLittleContext(parseDiff((await unifiedDiff("", before, after)).patch))
}

/** Everything between the first and the last line that differ. */
function replacedLines(before: string, after: string): DiffLine[] {
  const [old, next] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start++
  let end = 0
  while (end < Math.min(old.length, next.length) - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const removed = old.slice(start, old.length - end).map((text) => ({ kind: "removed", text }) as const)
  const added = next.slice(start, next.length - end).map((text) => ({ kind: "added", text }) as const)
  return [...removed, ...added]
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n")
}

function patchLines(patch: string): DiffLine[] {
  const lines = patch.split("\n").filter((line) => line !== "" && !/^\*\*\* (?:Begin|End) Patch/.test(line))
  return lines.map((line) => {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "context"
    return { kind, text: /^[-+ ]/.test(line) ? line.slice(1) : line }
  })
}

/** Returns "" for a file that is long or not a regular file: all of the new content is shown then. */
async function readShort(file: string): Promise<string> {
  // A FIFO without a writer would be waited for.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const status = await handle.stat()
  return status.isFile() && status.size <= MAX_COMPARED_BYTES ? await handle.readFile("utf8") : ""
}

/** Shows the first lines of a change with all their hidden characters, and says how many more there are. */
export function proposedLines({ lines }: ProposedChange, columns: number, theme: Theme): string[] {
  const room = columns - BAR.length
  const rows: string[] = []
  let whole = 0
  for (const { kind, text } of lines) {
    const sign = { added: "+", removed: "-", context: " ", gap: "⋮" }[kind]
    const style = { added: theme.added, removed: theme.removed, context: theme.faint, gap: theme.faint }[kind]
    const isLong = text.length > MAX_ROWS * room
    const own = foreignLines(`${sign} ${isLong ? text.slice(0, MAX_ROWS * room) : text}`, room)
    rows.push(...own.map((row) => `${BAR}${style(row)}`))
    if (isLong || rows.length > MAX_ROWS) break
    whole++
  }
  const left = lines.length - whole
  return left === 0 ? rows : [...rows.slice(0, MAX_ROWS), theme.faint(`${BAR}… ${plural(left, "more line")}`)]
}

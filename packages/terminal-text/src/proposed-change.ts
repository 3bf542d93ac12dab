import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { maskedLines } from "@pawl/secrets"
import { BAR, foreignLines, visibleLine } from "./foreign-lines.ts"
import { type DiffLine, parseDiff, withLittleContext } from "./diff-lines.ts"
import { plural } from "./quantity.ts"
import { sideBySideLines } from "./side-by-side.ts"
import type { Theme } from "./theme.ts"

const MAX_ROWS = 20
/** Lines that are shown beside others. */
const MAX_SIDE_LENGTH = 1000
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
 * content is compared with what would be written. `mask` takes secrets out of a text; texts are masked as a whole, and
 * compared as they are.
 */
export async function proposedChange(
  { tool, input }: ProposingCall,
  file: unknown,
  mask?: (text: string) => string,
): Promise<ProposedChange | undefined> {
  const { content, patchText, edits, replaceAll } = input
  const masking = createLineMasking(mask)
  const change = (lines: readonly DiffLine[]) => ({ lines: masking.shown(lines), isEverywhere: replaceAll === true })
  const edited = (edit: unknown) => editedLines(edit, masking)
  if (tool === "edit") return change(await edited(input))
  if (tool === "multiedit" && Array.isArray(edits)) return change((await Promise.all(edits.map(edited))).flat())
  if (tool === "apply_patch" && typeof patchText === "string") return change(patchLines(patchText, masking))
  if (tool !== "write" || typeof content !== "string") return undefined
  const before = typeof file === "string" ? await readShort(file).catch(() => "") : ""
  return change(await comparedLines(before, content, masking))
}

async function editedLines(edit: unknown, masking: LineMasking): Promise<readonly DiffLine[]> {
  const { oldString, newString } = (edit ?? {}) as { readonly [key: string]: unknown }
  if (typeof oldString !== "string" || typeof newString !== "string") return []
  return comparedLines(oldString, newString, masking)
}

async function comparedLines(before: string, after: string, masking: LineMasking): Promise<readonly DiffLine[]> {
  const [old, next] = [masking.marked(before), masking.marked(after)]
  // A unified diff leaves out what makes it too long.
  if (before === "" || before.length + after.length > MAX_DIFF_LENGTH) return replacedLines(old, next)
  const { unifiedDiff } = await import("@pawl/tools")
  return withLittleContext(parseDiff((await unifiedDiff("", old, next)).patch))
}

interface LineMasking {
  /** Returns the text with a name of its own for each line that holds a secret, so that changed lines differ. */
  marked(text: string): string
  /** Returns the lines without secrets; of equal lines in a row that are nothing but a secret, the first. */
  shown(lines: readonly DiffLine[]): DiffLine[]
}

function createLineMasking(mask: (text: string) => string = (text) => text): LineMasking {
  const shownByName = new Map<string, string>()
  return {
    marked(text) {
      const lines = text.split("\n")
      const masked = maskedLines(text, mask)
      return lines
        .map((line, at) => {
          const shown = masked[at] ?? ""
          if (shown === line) return line
          const name = `${shown}\0${line}`
          shownByName.set(name, shown)
          return name
        })
        .join("\n")
    },
    shown(lines) {
      let last: DiffLine | undefined
      return lines.flatMap(({ kind, text }) => {
        const shown = shownByName.get(text)
        const line = { kind, text: shown ?? text }
        const isRepeated = shown !== undefined && ALONE.test(shown) && last?.kind === kind && last.text === shown
        last = line
        return isRepeated ? [] : [line]
      })
    },
  }
}

const ALONE = /^\s*\[removed:[^\]\n]*\]\s*$/

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

function patchLines(patch: string, masking: LineMasking): DiffLine[] {
  const written = patch.split("\n").filter((line) => line !== "" && !/^\*\*\* (?:Begin|End) Patch/.test(line))
  const lines = written.map((line): DiffLine => {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "context"
    return { kind, text: /^[-+ ]/.test(line) ? line.slice(1) : line }
  })
  // Each side is a text of its own.
  const without = (kind: DiffLine["kind"]) => {
    const side = lines.filter((line) => line.kind !== kind)
    const marked = masking.marked(side.map(({ text }) => text).join("\n")).split("\n")
    return new Map(side.map((line, at) => [line, marked[at] ?? ""]))
  }
  const [old, next] = [without("added"), without("removed")]
  return lines.map((line) => {
    const marked = line.kind === "removed" ? old.get(line) : next.get(line)
    // A line that both sides have may be part of a secret on one of them.
    const text = line.kind === "context" && marked === line.text ? old.get(line) : marked
    return { ...line, text: text ?? line.text }
  })
}

/** Returns "" for a file that is long or not a regular file: all of the new content is shown then. */
async function readShort(file: string): Promise<string> {
  // A FIFO without a writer would be waited for.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const status = await handle.stat()
  return status.isFile() && status.size <= MAX_COMPARED_BYTES ? await handle.readFile("utf8") : ""
}

/**
 * Shows the first lines of a change with the old text beside the new one, as `proposedLines` does below each other.
 * Undefined if a line is too long for it.
 */
export function proposedSides({ lines }: ProposedChange, columns: number, theme: Theme): string[] | undefined {
  const room = columns - BAR.length
  if (lines.some(({ text }, at) => at < 2 * MAX_ROWS && text.length > MAX_SIDE_LENGTH)) return undefined
  const visible = lines.slice(0, 2 * MAX_ROWS).map(({ kind, text }) => ({ kind, text: visibleLine(text) }))
  for (let whole = visible.length; whole > 0;) {
    const rows = sideBySideLines(visible.slice(0, whole), { columns: room, theme }).map((row) => `${BAR}${row}`)
    const left = lines.length - whole
    if (rows.length <= MAX_ROWS)
      return left === 0 ? rows : [...rows, theme.faint(`${BAR}… ${plural(left, "more line")}`)]
    whole -= Math.max(1, Math.ceil((rows.length - MAX_ROWS) / 4))
  }
  return undefined
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

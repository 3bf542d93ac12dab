import type { UndoReport } from "@pawl/core"
import type { FileDiff, UncoveredFile } from "@pawl/core/host"
import { plainText } from "@pawl/plain-text"
import { relative, sep } from "node:path"
import { foreignLine } from "./foreign-lines.ts"
import type { Theme } from "./theme.ts"

export interface UndoLayout {
  readonly theme: Theme
  /** Paths below it are shown relative to it. */
  readonly directory: string
  /** Set if an undo was taken back: files have the session's changes again. Default: false */
  readonly isRedo?: boolean
}

const REASONS: Readonly<Record<UncoveredFile["reason"], string>> = {
  size: "larger than 2 MB, so its old content was not kept",
  ignored: "ignored by git, so its old content was not kept",
  shared: "another process changed files at the same time",
  limit: "too many files to keep their old contents",
  unreadable: "its old content could not be read",
  background: "a background job still ran at the end, and may have changed files since",
}

/** Returns a line for each file of an undo or redo, those that were left alone last. */
export function undoLines({ files, uncovered }: Pick<UndoReport, "files" | "uncovered">, layout: UndoLayout): string[] {
  const { theme, directory, isRedo = false } = layout
  const named = (path: string) => foreignLine(shownPath(directory, path))
  const written = files.flatMap(({ path, left, had, outcome }) => {
    if (outcome === "merged")
      return [`  ${theme.good("merged")}    ${named(path)} ${theme.faint("· your own changes of it are kept")}`]
    if (outcome === "unchanged") return [`  ${theme.faint(`as it was  ${named(path)}`)}`]
    if (outcome !== "restored") return []
    const what = left === null ? "removed" : had === null ? "put back" : isRedo ? "redone" : "restored"
    return [`  ${theme.good(what.padEnd(9))} ${named(path)}`]
  })
  const alone = files.flatMap(({ path, outcome, reason = "other changes of it overlap" }) => {
    if (outcome !== "conflict" && outcome !== "uncovered") return []
    const what = outcome === "conflict" ? "conflict" : "not kept"
    return [`  ${theme.warn(what.padEnd(9))} ${named(path)} ${theme.faint(`· left as it is: ${reason}`)}`]
  })
  const never = uncovered.map(
    ({ path, reason }) => `  ${theme.warn("not kept")}  ${named(path)} ${theme.faint(REASONS[reason])}`,
  )
  return [...written, ...alone, ...never]
}

/** Returns whether an undo left a file alone that it should have restored. */
export function leavesFiles({ files, uncovered }: Pick<UndoReport, "files" | "uncovered">): boolean {
  return uncovered.length > 0 || files.some(({ outcome }) => outcome === "conflict" || outcome === "uncovered")
}

/** Returns the lines of a patch, in the form of git. `isPlain`: without control characters, for a terminal. */
export function patchLines(
  { file, patch = "", status }: FileDiff,
  { theme, isPlain }: { readonly theme: Theme; readonly isPlain: boolean },
): string[] {
  const shown = (line: string) => (isPlain ? plainText(line) : line)
  const name = isPlain ? foreignLine(file) : file
  const head = [
    `diff --git a/${name} b/${name}`,
    ...(status === "added" ? ["new file mode 100644"] : status === "deleted" ? ["deleted file mode 100644"] : []),
  ].map((line) => theme.strong(line))
  const hunks = patch.slice(Math.max(0, patch.indexOf("@@")))
  if (!hunks.includes("@@")) return [...head, theme.faint("No text: its bytes differ.")]
  const names = [
    `--- ${status === "added" ? "/dev/null" : `a/${name}`}`,
    `+++ ${status === "deleted" ? "/dev/null" : `b/${name}`}`,
  ]
  const lines = hunks
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => styled(shown(line), theme))
  return [...head, ...names.map((line) => theme.strong(line)), ...lines]
}

function styled(line: string, theme: Theme): string {
  if (line.startsWith("@@")) return theme.accent(line)
  if (line.startsWith("+")) return theme.added(line)
  return line.startsWith("-") ? theme.removed(line) : line
}

/** Returns the table of `--stat`: a line for each file, and the totals. */
export function statLines(
  files: readonly FileDiff[],
  { columns, theme }: { readonly columns: number; readonly theme: Theme },
): string[] {
  const names = files.map(({ file }) => foreignLine(file))
  const width = Math.min(Math.max(0, ...names.map((name) => name.length)), Math.max(20, columns - 30))
  const most = Math.max(1, ...files.map(({ additions, deletions }) => additions + deletions))
  const room = Math.max(10, Math.min(60, columns - width - 12))
  const lines = files.map(({ additions, deletions, patch = "" }, index) => {
    const name = (names[index] ?? "").slice(-width).padEnd(width)
    if (!patch.includes("@@") && additions + deletions === 0) return ` ${name} | ${theme.faint("bytes")}`
    const scale = (count: number) => (most <= room ? count : Math.ceil((count * room) / most))
    const bar = theme.added("+".repeat(scale(additions))) + theme.removed("-".repeat(scale(deletions)))
    return ` ${name} | ${String(additions + deletions).padStart(4)} ${bar}`
  })
  const added = files.reduce((sum, { additions }) => sum + additions, 0)
  const removed = files.reduce((sum, { deletions }) => sum + deletions, 0)
  const count = `${files.length} ${files.length === 1 ? "file" : "files"} changed`
  return [...lines, ` ${count}, ${added} added, ${removed} removed`]
}

function shownPath(directory: string, path: string): string {
  const inside = relative(directory, path)
  return inside === "" || inside.startsWith(`..${sep}`) || inside === ".." ? path : inside
}

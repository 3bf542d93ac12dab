import { dirname, sep } from "node:path"
import { groupedPaths, quoted, shownPath, withinOrWhole } from "./grouped-paths.ts"
import type { ModifiedFile } from "./ledger.ts"

export interface ModifiedOptions {
  /** Base of relative paths. If undefined, all paths are absolute. */
  readonly directory: string | undefined
  /** Tokens. */
  readonly budget: number
  readonly tokensOf: (text: string) => number
}

/** More modified files than these are listed by directory, without their hashes. */
const MAX_LINES = 25

/** Share of the budget for the newest files if not all can be named; the rest is for counts of the others. */
const NAMED_SHARE = 0.6

const HOW_TO_FIND = "search for the others with the tool recall"

/**
 * Formats the modified files as a title and lines, within the budget. Names every file if the budget allows it.
 * Otherwise names the newest and counts the others by directory, or by a parent directory if there are too many.
 */
export function modifiedSection(files: readonly ModifiedFile[], options: ModifiedOptions): string {
  const { budget, tokensOf } = options
  const whole = wholeSection(files, options.directory)
  if (tokensOf(whole) <= budget) return whole
  const named = newestThatFit(files, { ...options, budget: budget * NAMED_SHARE })
  const others = files.slice(0, files.length - named.length)
  const shown = groupedPaths(named, options.directory, (file) => noteOf(file, options.directory))
  const title = `Files modified (${files.length}, of which the newest ${named.length} are named: ${HOW_TO_FIND})`
  const room = budget - tokensOf(section(title, shown))
  const text = section(title, [...shown, ...countedBy(others, { ...options, budget: room })])
  if (tokensOf(text) <= budget) return text
  const count = `Files modified: ${files.length} (${HOW_TO_FIND})`
  return tokensOf(count) <= budget ? count : ""
}

/** Formats every modified file. */
function wholeSection(files: readonly ModifiedFile[], directory: string | undefined): string {
  if (files.length === 0) return ""
  if (files.length > MAX_LINES) {
    const lines = groupedPaths(files, directory, (file) => noteOf(file, directory))
    return section(`Files modified (${files.length})`, lines)
  }
  const lines = files.map((file) => {
    const hash = file.hash?.replace(/^.*:/, "").slice(0, 12)
    return shownPath(file.path, directory) + (noteOf(file, directory) || (hash ? ` (content ${hash})` : ""))
  })
  return section("Files modified", lines)
}

export function section(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`
}

function noteOf({ gone }: ModifiedFile, directory: string | undefined): string {
  if (!gone) return ""
  return gone.movedTo === undefined ? " (deleted)" : ` (moved to ${shownPath(gone.movedTo, directory)})`
}

/** Returns the newest files that fit. Measures each on a line of its own, although grouped files take less. */
function newestThatFit(files: readonly ModifiedFile[], { directory, budget, tokensOf }: ModifiedOptions) {
  let left = budget
  const excess = files.findLastIndex((file) => {
    left -= tokensOf(`- ${shownPath(file.path, directory)}${noteOf(file, directory)}\n`)
    return left < 0
  })
  return files.slice(excess + 1)
}

/** Deeper directories are counted with the one above them. */
const MAX_DEPTH = 16

/** Returns lines such as `src/a/: 12 files`, for the deepest directories whose lines fit. */
function countedBy(files: readonly ModifiedFile[], { directory, budget, tokensOf }: ModifiedOptions): string[] {
  if (files.length === 0) return []
  const parents = files.map(({ path }) => dirname(withinOrWhole(path, directory)).split(sep))
  for (let depth = MAX_DEPTH; depth > 0; depth--) {
    const counts = new Map<string, number>()
    for (const parent of parents) {
      const folder = parent.slice(0, depth).join(sep)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    // A line takes more than one token.
    if (counts.size > budget) continue
    const lines = [...counts].map(([folder, count]) => `${quoted(`${folder}${sep}`)}: ${filesOf(count)}`)
    if (tokensOf(lines.map((line) => `- ${line}\n`).join("")) <= budget) return lines
  }
  const rest = `${filesOf(files.length)} elsewhere`
  return tokensOf(`- ${rest}\n`) <= budget ? [rest] : []
}

function filesOf(count: number): string {
  return count === 1 ? "1 file" : `${count} files`
}

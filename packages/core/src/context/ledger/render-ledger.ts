import { oneLine, shortCommand } from "./command-text.ts"
import { groupedPaths, shownPath } from "./grouped-paths.ts"
import type { CommandEntry, Ledger, ModifiedFile } from "./ledger.ts"

export interface RenderOptions {
  /** Paths within it are shown relative to it; absent: all are absolute. */
  readonly directory?: string
  /**
   * Tokens; default 4000. The modified paths are told even where they alone take more, and failing tests have half of it
   * in any case.
   */
  readonly budget?: number
  /** Absent: a token is taken for three bytes. */
  readonly tokensOf?: (text: string) => number
}

const BUDGET = 4000

/** More modified files than these are told by directory, without their hashes. */
const MOST_LINES = 25

interface Section {
  readonly title: string
  /** The part of the budget that it has whatever comes before it. */
  readonly share?: number
  /** The most important first: the last ones are left out. */
  readonly lines: readonly string[]
}

/** The ledger as a text for the model, undefined where it holds nothing. Every modified path is in it. */
export function renderLedger(ledger: Ledger, options: RenderOptions = {}): string | undefined {
  const { directory, budget = BUDGET, tokensOf = (text) => Math.ceil(Buffer.byteLength(text) / 3) } = options
  const modified = modifiedSection(ledger.modified, directory)
  let left = budget - tokensOf(modified)
  const texts = modified === "" ? [] : [modified]
  for (const { title, lines, share = 0 } of sectionsOf(ledger, directory)) {
    const kept: string[] = []
    left = Math.max(left, budget * share)
    left -= tokensOf(`${title}:\n`)
    for (const line of lines) {
      left -= tokensOf(`- ${line}\n`)
      if (left < 0) break
      kept.push(line)
    }
    const dropped = lines.length - kept.length
    const note = dropped > 0 ? ` (${dropped} more not shown)` : ""
    if (kept.length > 0) texts.push(section(`${title}${note}`, kept))
  }
  return texts.length > 0 ? texts.join("\n") : undefined
}

function sectionsOf({ failing, commands, decisions, read }: Ledger, directory: string | undefined): Section[] {
  const place = (entry: { directory?: string }) => {
    return entry.directory === undefined ? "" : ` in ${shownPath(entry.directory, directory)}`
  }
  // The newest run tells of a test that several have run.
  const told = new Set<string>()
  const failed = failing.toReversed().flatMap((entry) => {
    const run = `(${entry.command}${place(entry)})`
    if (entry.tests.length === 0) return [`some, not named by the output ${run}`]
    const tests = entry.tests.filter((test) => !told.has(test))
    for (const test of tests) told.add(test)
    return tests.map((test) => `${oneLine(test)} ${run}`)
  })
  return [
    { title: "Tests that failed when last run", lines: failed, share: 1 / 2 },
    { title: "Decisions, newest first", lines: decisions.toReversed() },
    {
      title: "Commands run, newest first",
      lines: commands.toReversed().map((entry) => `${shortCommand(entry.command)}${place(entry)} -> ${outcome(entry)}`),
    },
    { title: "Files read, newest first", lines: read.toReversed().map(({ path }) => shownPath(path, directory)) },
  ]
}

function modifiedSection(files: readonly ModifiedFile[], directory: string | undefined): string {
  if (files.length === 0) return ""
  const note = ({ gone }: ModifiedFile) => {
    if (!gone) return ""
    return gone.movedTo === undefined ? " (deleted)" : ` (moved to ${shownPath(gone.movedTo, directory)})`
  }
  if (files.length > MOST_LINES)
    return section(`Files modified (${files.length})`, groupedPaths(files, directory, note))
  const lines = files.map((file) => {
    const hash = file.hash?.replace(/^.*:/, "").slice(0, 12)
    return shownPath(file.path, directory) + (note(file) || (hash ? ` (content ${hash})` : ""))
  })
  return section("Files modified", lines)
}

function section(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`
}

function outcome({ exit, runs }: CommandEntry): string {
  const end = exit === undefined ? "did not end" : `exit ${exit}`
  return runs === undefined ? end : `${end} (run ${runs} times)`
}

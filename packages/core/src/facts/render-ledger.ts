import { oneLine, shortCommand } from "./command-text.ts"
import { shownPath } from "./grouped-paths.ts"
import type { CommandEntry, Ledger } from "./ledger.ts"
import { modifiedSection, section } from "./modified-files.ts"

export interface RenderOptions {
  /** Paths within it are shown relative to it; absent: all are absolute. */
  readonly directory?: string
  /**
   * Tokens; default 4000. The modified paths are shown even if they alone take more, and failing tests have half of it
   * in any case.
   */
  readonly budget?: number
  /** Tokens that the whole text may take, modified paths included: those that do not fit are counted. Default: no limit. */
  readonly limit?: number
  /** Absent: a token is taken for three bytes. */
  readonly tokensOf?: (text: string) => number
}

const BUDGET = 4000

/** What was read long ago says little. */
const MAX_READ_LINES = 25

interface Section {
  readonly title: string
  /** The part of the budget that it has whatever comes before it. */
  readonly share?: number
  /** The most important first: the last ones are left out. */
  readonly lines: readonly string[]
  /** Lines at most, whatever the budget. */
  readonly most?: number
}

/** The ledger as a text for the model, undefined if it holds nothing. Every modified path is in it unless there is a limit. */
export function renderLedger(ledger: Ledger, options: RenderOptions = {}): string | undefined {
  const { directory, limit = Infinity, tokensOf = defaultTokens } = options
  const budget = Math.min(options.budget ?? BUDGET, limit)
  const sections = sectionsOf(ledger, directory)
  const reserved = Math.max(...sections.map((each) => Math.min(sizeOf(each, tokensOf), budget * (each.share ?? 0))))
  const modified = modifiedSection(ledger.modified, { directory, budget: limit - reserved, tokensOf })
  const texts = modified === "" ? [] : [modified]
  let used = modified === "" ? 0 : tokensOf(`${modified}\n`)
  for (const { title, lines, share = 0, most = Infinity } of sections) {
    const kept: string[] = []
    let left = Math.min(Math.max(budget - used, budget * share), limit - used) - tokensOf(`${title}:\n`)
    for (const line of lines) {
      left -= tokensOf(`- ${line}\n`)
      if (left < 0 || kept.length >= most) break
      kept.push(line)
    }
    const dropped = lines.length - kept.length
    const note = dropped > 0 ? ` (${dropped} more not shown)` : ""
    const text = kept.length > 0 ? section(`${title}${note}`, kept) : ""
    if (text === "") continue
    used += tokensOf(`${text}\n`)
    texts.push(text)
  }
  return texts.length > 0 ? texts.join("\n") : undefined
}

/** Tokens of the text without a limit. */
export function ledgerTokens(ledger: Ledger, options: Omit<RenderOptions, "limit">): number {
  return (options.tokensOf ?? defaultTokens)(renderLedger(ledger, options) ?? "")
}

function defaultTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3)
}

function sizeOf({ title, lines }: Section, tokensOf: (text: string) => number): number {
  if (lines.length === 0) return 0
  return lines.reduce((sum, line) => sum + tokensOf(`- ${line}\n`), tokensOf(`${title}:\n`))
}

function sectionsOf(
  { failing, commands, decisions, read, errors = [] }: Ledger,
  directory: string | undefined,
): Section[] {
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
      title: "Errors met, newest first",
      lines: errors.toReversed().map(({ source, text }) => `${text} (${shortCommand(source)})`),
    },
    {
      title: "Commands run, newest first",
      lines: commands.toReversed().map((entry) => `${shortCommand(entry.command)}${place(entry)} -> ${outcome(entry)}`),
    },
    {
      title: "Files read, newest first",
      lines: read.toReversed().map(({ path }) => shownPath(path, directory)),
      most: MAX_READ_LINES,
    },
  ]
}

function outcome({ exit, runs }: CommandEntry): string {
  const end = exit === undefined ? "did not end" : `exit ${exit}`
  return runs === undefined ? end : `${end} (run ${runs} times)`
}

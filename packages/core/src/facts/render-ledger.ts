import { oneLine, shortCommand } from "./command-text.ts"
import { shownPath } from "./grouped-paths.ts"
import type { CommandEntry, Ledger } from "./ledger.ts"
import { modifiedSection, section } from "./modified-files.ts"

export interface RenderOptions {
  /** Base of relative paths. Default: all paths are absolute. */
  readonly directory?: string
  /**
   * Tokens. Default: 4000. Modified paths are shown even if they alone take more. Failing tests always get up to half
   * of it.
   */
  readonly budget?: number
  /**
   * Maximum tokens of the whole text, including modified paths; those that do not fit are counted. Default: no limit.
   */
  readonly limit?: number
  /** Default: three bytes per token. */
  readonly tokensOf?: (text: string) => number
}

const DEFAULT_BUDGET = 4000

/** Files that were read long ago matter little. */
const MAX_READ_LINES = 25

interface Section {
  readonly title: string
  /** Share of the budget that the section gets, however much the sections before it take. */
  readonly share?: number
  /** Lines, most important first: the last ones are left out. */
  readonly lines: readonly string[]
  /** Maximum number of lines for any budget. */
  readonly most?: number
}

/** Formats the ledger for the model; undefined if it is empty. Includes every modified path unless there is a limit. */
export function renderLedger(ledger: Ledger, options: RenderOptions = {}): string | undefined {
  const { directory, limit = Infinity, tokensOf = defaultTokens } = options
  const budget = Math.min(options.budget ?? DEFAULT_BUDGET, limit)
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

/** Returns the tokens of the text without a limit. */
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
  const inDirectory = (entry: { directory?: string }) => {
    return entry.directory === undefined ? "" : ` in ${shownPath(entry.directory, directory)}`
  }
  // Of several runs, the newest reports a test.
  const listed = new Set<string>()
  const failed = failing.toReversed().flatMap((entry) => {
    const run = `(${entry.command}${inDirectory(entry)})`
    if (entry.tests.length === 0) return [`some, not named by the output ${run}`]
    const tests = entry.tests.filter((test) => !listed.has(test))
    for (const test of tests) listed.add(test)
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
      lines: commands
        .toReversed()
        .map((entry) => `${shortCommand(entry.command)}${inDirectory(entry)} -> ${outcome(entry)}`),
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

import { wrap } from "@pawl/terminal-text/flow"
import { plainLine } from "@pawl/plain-text"
import { plural } from "@pawl/terminal-text/quantity"
import type { Theme } from "@pawl/terminal-text/theme"
import { comparedLines } from "./compared-lines.ts"
import type { Difference, Verdict } from "@pawl/replay/difference"

export interface VerdictLayout {
  readonly columns: number
  readonly theme: Theme
}

export function isSame({ differences }: Verdict): boolean {
  return differences.length === 0
}

/** The verdict of one file, with the first difference. */
export function verdictLines(name: string, verdict: Verdict, { columns, theme }: VerdictLayout): string[] {
  const { differences, isOpenEnded, requests, compared } = verdict
  const [first] = differences
  const figures = `${plural(verdict.steps, "step")}, ${plural(verdict.calls, "tool call")}`
  const file = plainLine(name)
  const hints = [
    ...(compared < requests ? [requestsLine(verdict)] : []),
    ...(isOpenEnded ? ["The recording ends before the work did: it was compared up to there."] : []),
  ].map((line) => theme.faint(`  ${line}`))
  if (!first) return [`${theme.good("same")}     ${file}: ${figures}`, ...hints]
  const more = differences.length - 1
  return [
    `${theme.bad("differs")}  ${file}: ${figures}`,
    ...wrap(placeOf(first), columns - 2).map((line) => `  ${line}`),
    ...(hasTexts(first) ? comparedLines(first.expected, first.got, { columns, theme }) : []),
    ...(more > 0
      ? [theme.faint(`  and ${plural(more, "more difference")} behind it; all of them: --format json`)]
      : []),
    ...hints,
  ]
}

function hasTexts({ kind }: Difference): boolean {
  return kind !== "missing" && kind !== "unplayed"
}

function requestsLine({ requests, compared }: Verdict): string {
  if (compared === 0)
    return "Requests are not in the recording, and were not compared; calls, results and answers were."
  return `${plural(requests - compared, "request")} of ${requests} could not be compared.`
}

const KINDS: Readonly<Record<Difference["kind"], string>> = {
  request: "the request is another:",
  result: "another",
  end: "another",
  answer: "another",
  missing: "there is",
  unplayed: "there is",
}

/** `step 3, the request is another: message 4 (tool), part 1 (line 12)`. */
export function placeOf({ kind, session, step, place, line }: Difference): string {
  const where = [session === "s1" ? "" : `session ${session}`, step === undefined ? "" : `step ${step}`]
  const location = [...where.filter((each) => each !== ""), `${KINDS[kind]} ${plainLine(place)}`].join(", ")
  return line === undefined ? location : `${location} (recorded in line ${line})`
}

/** Renders the summary of several files. */
export function summaryLine(verdicts: readonly (Verdict | Error)[], theme: Theme): string {
  const same = verdicts.filter((verdict) => !(verdict instanceof Error) && isSame(verdict)).length
  const failed = verdicts.filter((verdict) => verdict instanceof Error).length
  const differ = verdicts.length - same - failed
  const parts = [
    theme.good(`${same} same`),
    ...(differ > 0 ? [theme.bad(`${differ} differ`)] : []),
    ...(failed > 0 ? [theme.bad(`${failed} cannot be replayed`)] : []),
  ]
  return `${plural(verdicts.length, "recording")}: ${parts.join(", ")}`
}

import type { Provider } from "@pawl/core/provider"
import type { Subject } from "../subjects/subject.ts"
import type { Lab, Sweep, SweepResult } from "../sweeps/sweep.ts"
import { openCaseLab } from "./case-lab.ts"
import { casesAgain, casesOnce } from "./cases.ts"
import { endKind, judgeCase, RETRYABLE } from "./judge-case.ts"
import { type Case, type Outcome, runCase } from "./run-case.ts"
import { unguarded } from "./unguarded.ts"
import { type Wire, wires } from "./wires.ts"

/** In milliseconds. Each of five attempts may wait for a silent server. */
const MAX_TURN_MS = 15_000

/** Every fault at every position in every wire format; in the reduced scale a sample. */
export function spoilAnswers(subject: Subject): Sweep {
  return {
    name: "provider answers spoilt",
    subject,
    run: (lab) => sweep(lab, cases(lab)),
    controls: [
      {
        guard: "an answer needs a finish",
        complaint: /half a text|answered with/,
        run: (lab) =>
          sweep(
            lab,
            cases(lab).filter(({ name }) => name.startsWith("reset, in a text")),
            unguarded,
          ),
      },
    ],
  }
}

/** Number of cases by result, and the failures. */
export interface Tally {
  readonly ends: Map<string, number>
  readonly bad: string[]
  points: number
}

export async function runCases(
  {
    wire,
    directory,
    sabotage,
    onPoint,
  }: { wire: Wire; directory: string; sabotage?: typeof unguarded; onPoint: () => void },
  cases: readonly Case[],
): Promise<Tally> {
  const tally: Tally = { ends: new Map(), bad: [], points: 0 }
  const options = { wire, directory, ...(sabotage ? { sabotage } : {}) }
  await using calm = await openCaseLab({ ...options, isHasty: false })
  await using hasty = await openCaseLab({ ...options, isHasty: true })
  for (const one of cases) {
    const outcome = await runCase(one.fault.isSilent ? hasty : calm, one)
    if (!outcome) continue
    onPoint()
    tally.points++
    const end = endOf(outcome)
    tally.ends.set(end, (tally.ends.get(end) ?? 0) + 1)
    const isHopeless = one.times === Infinity
    const problems = judgeCase(outcome, {
      ...{ isHopeless, within: MAX_TURN_MS },
      expected: isHopeless ? RETRYABLE : one.fault.expected(wire.name),
      isUncounted: one.fault.isUncounted ?? false,
    })
    tally.bad.push(...problems.map((problem) => `${wire.name}, ${one.name}: ${problem}`))
  }
  return tally
}

async function sweep(
  lab: Lab,
  all: readonly Case[],
  sabotage?: (provider: Provider) => Provider,
): Promise<SweepResult> {
  const options = { directory: lab.fastDirectory, onPoint: lab.onPoint, ...(sabotage ? { sabotage } : {}) }
  const tallies = await Promise.all(wires.map((wire) => runCases({ ...options, wire }, all)))
  const ends = new Map<string, number>()
  for (const tally of tallies) for (const [end, count] of tally.ends) ends.set(end, (ends.get(end) ?? 0) + count)
  return {
    points: tallies.reduce((sum, { points }) => sum + points, 0),
    bad: tallies.flatMap(({ bad }) => bad),
    note: [...ends]
      .toSorted(([, a], [, b]) => b - a)
      .map(([end, count]) => `${count} ${end}`)
      .join(", "),
  }
}

function cases({ scale }: Lab): Case[] {
  const all = [...casesOnce(scale.longestEvent), ...casesAgain(Math.min(scale.longestEvent, 1_000_000))]
  return all.filter((_, at) => at % scale.spoiltStep === 0)
}

function endOf({ result, messages }: Outcome): string {
  const isTold = messages.some(({ parts }) => parts.some(({ type }) => type === "retry"))
  if (result.type === "answered") return isTold ? "answered after another try" : "answered at once"
  return result.type === "failed" ? endKind(result) : result.type
}

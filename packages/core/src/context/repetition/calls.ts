import type { Call, CallRepetition } from "./repetition.ts"

export interface CallRecord extends Call {
  /** The same text for the same result; undefined while the call runs. */
  readonly outcome: string | undefined
  /** It ended with an error. */
  readonly failed?: boolean
  /** It did not run: the model was told instead that it repeats itself. */
  readonly nudged?: boolean
}

export type Verdict = { readonly type: "fresh" } | { readonly type: "repeats"; readonly repetition: CallRepetition }

/** Calls and answers that are looked at; earlier ones change no verdict. */
export const CALLS_LOOKED_AT = 60
export const ANSWERS_LOOKED_AT = 60

/** Calls of a block, or answers, however many calls these make. */
const LONGEST_BLOCK = 4

/** Repetitions that flag a block whose results stay the same. */
const UNCHANGED = 3

/** Repetitions that flag a block although its results differ. */
const CHANGING = 20

/** Repetitions that flag waiting: longer than a build takes that is looked at each half minute. */
const WAITING = 30

/** Copies of a call in a single answer. */
const COPIES = 10

/**
 * Whether the call about to run completes one repetition too many. `earlier` are the turn's calls, oldest first, those of
 * the same answer included. `requested`: how often the user has asked for the same; called only for a repetition.
 *
 * Progress is told from a loop by the results: a block is flagged at its third repetition while they stay the same, and
 * where they differ only when there is no end to it. Calls of one answer stand side by side: their order says nothing, and
 * copies count once, since none has seen the other's result. A block is made of calls, whatever answers they come in, or
 * of whole answers.
 */
export function judgeCall(earlier: readonly CallRecord[], next: Call, requested: () => number = () => 0): Verdict {
  const copies =
    next.reply === undefined ? [] : earlier.filter((call) => call.reply === next.reply && isSame(call, next))
  if (copies.length > 0) {
    if (copies.length + 1 < COPIES || copies.length + 1 <= requested()) return { type: "fresh" }
    return repeats({ block: [next], times: copies.length + 1, reason: "one-reply" }, earlier)
  }
  // Nearly every call: none before it is like it, so no block that holds it has come before.
  if (!earlier.some((call) => isSame(call, next))) return { type: "fresh" }
  const record = { ...next, outcome: undefined }
  const answers = toAnswers([...earlier, record]).slice(-ANSWERS_LOOKED_AT)
  const calls = toAnswers([...earlier.slice(1 - CALLS_LOOKED_AT), record]).flatMap((answer) =>
    answer.map((call) => [call]),
  )
  for (const units of [calls, answers]) {
    for (let length = 1; length <= LONGEST_BLOCK; length++) {
      const found = judgeBlocks(units, length, requested)
      if (found) return repeats(found, earlier)
    }
  }
  return { type: "fresh" }
}

type Found = Omit<CallRepetition, "kind" | "nudged">

/** One call, or those of one answer. */
type Unit = readonly CallRecord[]

function repeats(found: Found, earlier: readonly CallRecord[]): Verdict {
  const nudged = earlier.some((call) => call.nudged && found.block.some((member) => isSame(member, call)))
  return { type: "repeats", repetition: { kind: "calls", ...found, nudged } }
}

function judgeBlocks(units: readonly Unit[], length: number, requested: () => number): Found | undefined {
  const same = repetitions(units, length, isSame)
  if (same < UNCHANGED) return undefined
  const unchanged = repetitions(units, length, (a, b) => isSame(a, b) && hasSameOutcome(a, b))
  const block = units.slice(-length).flat()
  // A poll that fails is no way to wait.
  const recent = units.slice(-2 * length).flat()
  const isWaiting = block.some((call) => call.pollable) && !recent.some((call) => call.failed)
  if (isWaiting)
    return unchanged >= within(WAITING, length) ? { block, times: unchanged, reason: "waiting" } : undefined
  const enough = (times: number) => within(Math.max(times, requested() + 1), length)
  if (unchanged >= enough(UNCHANGED)) return { block, times: unchanged, reason: "unchanged" }
  return same >= enough(CHANGING) ? { block, times: same, reason: "changing" } : undefined
}

/** As many repetitions of a block as the records can show. */
function within(bound: number, length: number): number {
  return Math.min(bound, Math.floor(CALLS_LOOKED_AT / length))
}

/** How often the last `length` units stand at the end, one time behind the other. */
function repetitions(
  units: readonly Unit[],
  length: number,
  isEqual: (a: CallRecord, b: CallRecord) => boolean,
): number {
  let at = units.length - 1
  for (; at >= length; at--) {
    const [a, b] = [units[at - length], units[at]]
    if (!a || !b || a.length !== b.length || !a.every((call, n) => isEqual(call, b[n] as CallRecord))) break
  }
  return Math.floor((units.length - 1 - at + length) / length)
}

function isSame(a: Call, b: Call): boolean {
  return a.tool === b.tool && a.key === b.key
}

/** A call that still runs, or did not run, shows no change. */
function hasSameOutcome(a: CallRecord, b: CallRecord): boolean {
  if (a.nudged || b.nudged || a.outcome === undefined || b.outcome === undefined) return true
  return a.outcome === b.outcome
}

/** By the answers that made them, oldest first; those of one answer without copies and in an order of their own. */
function toAnswers(calls: readonly CallRecord[]): CallRecord[][] {
  const answers: CallRecord[][] = []
  for (const call of calls) {
    const answer = answers.at(-1)
    if (answer && call.reply !== undefined && answer[0]?.reply === call.reply) answer.push(call)
    else answers.push([call])
  }
  return answers.map((answer) => {
    const once = answer.filter((call, at) => answer.findIndex((other) => isSame(other, call)) === at)
    return once.toSorted((a, b) => compare(a.tool, b.tool) || compare(a.key, b.key))
  })
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

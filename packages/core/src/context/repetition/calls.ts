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

/** Records that are looked at; earlier ones change no verdict. */
export const CALLS_LOOKED_AT = 60

/** Calls of a block. */
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
 * the same answer included.
 *
 * Progress is told from a loop by the results: a block is flagged at its third repetition while they stay the same, and
 * where they differ only when there is no end to it. Calls of one answer stand side by side: their order says nothing, and
 * copies count once, since none has seen the other's result.
 */
export function judgeCall(earlier: readonly CallRecord[], next: Call): Verdict {
  const copies =
    next.reply === undefined ? [] : earlier.filter((call) => call.reply === next.reply && isSame(call, next))
  if (copies.length > 0) {
    if (copies.length + 1 < COPIES) return { type: "fresh" }
    return repeats({ block: [next], times: copies.length + 1, reason: "one-reply" }, earlier)
  }
  // Nearly every call: none before it is like it, so no block that holds it has come before.
  if (!earlier.some((call) => isSame(call, next))) return { type: "fresh" }
  const calls = inOrder([...earlier.slice(1 - CALLS_LOOKED_AT), { ...next, outcome: undefined }])
  for (let length = 1; length <= LONGEST_BLOCK; length++) {
    const found = judgeBlocks(calls, length)
    if (found) return repeats(found, earlier)
  }
  return { type: "fresh" }
}

type Found = Omit<CallRepetition, "kind" | "nudged">

function repeats(found: Found, earlier: readonly CallRecord[]): Verdict {
  const nudged = earlier.some((call) => call.nudged && found.block.some((member) => isSame(member, call)))
  return { type: "repeats", repetition: { kind: "calls", ...found, nudged } }
}

function judgeBlocks(calls: readonly CallRecord[], length: number): Found | undefined {
  const same = repetitions(calls, length, isSame)
  if (same < UNCHANGED) return undefined
  const unchanged = repetitions(calls, length, (a, b) => isSame(a, b) && hasSameOutcome(a, b))
  const block = calls.slice(-length)
  // A poll that fails is no way to wait.
  const isWaiting = block.some((call) => call.pollable) && !calls.slice(-2 * length).some((call) => call.failed)
  if (isWaiting)
    return unchanged >= within(WAITING, length) ? { block, times: unchanged, reason: "waiting" } : undefined
  if (unchanged >= UNCHANGED) return { block, times: unchanged, reason: "unchanged" }
  return same >= within(CHANGING, length) ? { block, times: same, reason: "changing" } : undefined
}

/** As many repetitions of a block as the records can show. */
function within(bound: number, length: number): number {
  return Math.min(bound, Math.floor(CALLS_LOOKED_AT / length))
}

/** How often the last `length` calls stand at the end, one time behind the other. */
function repetitions(
  calls: readonly CallRecord[],
  length: number,
  isEqual: (a: CallRecord, b: CallRecord) => boolean,
): number {
  let at = calls.length - 1
  for (; at >= length; at--) {
    const [a, b] = [calls[at - length], calls[at]]
    if (!a || !b || !isEqual(a, b)) break
  }
  return Math.floor((calls.length - 1 - at + length) / length)
}

function isSame(a: Call, b: Call): boolean {
  return a.tool === b.tool && a.key === b.key
}

/** A call that still runs, or did not run, shows no change. */
function hasSameOutcome(a: CallRecord, b: CallRecord): boolean {
  if (a.nudged || b.nudged || a.outcome === undefined || b.outcome === undefined) return true
  return a.outcome === b.outcome
}

/** One after the other, those of one answer without copies and in an order of their own. */
function inOrder(calls: readonly CallRecord[]): CallRecord[] {
  const answers: CallRecord[][] = []
  for (const call of calls) {
    const answer = answers.at(-1)
    if (answer && call.reply !== undefined && answer[0]?.reply === call.reply) answer.push(call)
    else answers.push([call])
  }
  return answers.flatMap((answer) => {
    const once = answer.filter((call, at) => answer.findIndex((other) => isSame(other, call)) === at)
    return once.toSorted((a, b) => compare(a.tool, b.tool) || compare(a.key, b.key))
  })
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

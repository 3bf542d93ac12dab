import type { Call, CallRepetition } from "./repetition.ts"
import { type AnswerUnit, type CallRecord, nameOf, sumOfNames, toAnswerUnit, toSingles, type Unit } from "./unit.ts"

export type Verdict = { readonly type: "fresh" } | { readonly type: "repeats"; readonly repetition: CallRepetition }

/** Maximum number of compared calls, and of compared answers; earlier ones change no verdict. */
export const MAX_UNITS = 240

/** Maximum units of a block whose order counts. In a longer block they may come in any order. */
const MAX_ORDERED_UNITS = 4

/** Units within which such a short block must be flagged, if its results differ forever or it waits forever. */
const MAX_UNITS_OF_ORDERED = 60

/** Repetitions that flag a block with unchanged results. */
const UNCHANGED_LIMIT = 3

/** Units of the longest block that can repeat often enough in the window. */
const MAX_BLOCK_UNITS = MAX_UNITS / UNCHANGED_LIMIT

/** Repetitions that flag a block with changing results. */
const CHANGING_LIMIT = 20

/** Repetitions that flag waiting: longer than a build that is checked each half minute. */
const WAITING_LIMIT = 30

/** Copies of a call in a single answer that flag it. */
const COPIES_LIMIT = 10

/** Returns the verdict on a call that is about to run. Later verdicts take the call into account. */
export type CallJudge = (
  next: Call,
  /** Returns how often the user has requested the same. Called only for a repetition. */
  requested?: () => number,
) => Verdict

/**
 * Creates the judge of the calls of the next answer. `answers`: the turn's earlier ones, oldest first. The cost of a
 * call does not depend on the number of calls in its answer.
 *
 * Results separate progress from a loop: a block is flagged at its third repetition if they stay the same, and if they
 * differ, only when it seems endless. Calls of one answer run in parallel: their order does not count, and copies count
 * once, because no call has read another's result. The units of a block are calls, in any answers, or whole answers.
 */
export function createCallJudge(answers: readonly AnswerUnit[]): CallJudge {
  let earlier = createWindow(answers)
  let current = createAnswer(undefined)

  return (next, requested = () => 0) => {
    if (next.reply === undefined || next.reply !== current.reply) {
      if (current.calls.size > 0)
        earlier = createWindow([...earlier.answers, toAnswerUnit([...current.calls.values()])])
      current = createAnswer(next.reply)
    }
    const name = nameOf(next)
    const copies = (current.copies.get(name) ?? 0) + 1
    current.copies.set(name, copies)
    if (copies > 1) {
      if (copies < COPIES_LIMIT || copies <= requested()) return { type: "fresh" }
      return repeats({ block: [next], times: copies, reason: "one-reply" }, earlier.nudged)
    }
    current.calls.set(name, next)
    current.name = sumOfNames(current.name, name)
    // Handles nearly every call: without an equal earlier call, no block with this call was repeated.
    if (!earlier.calls.has(name)) return { type: "fresh" }
    // All calls of an answer are different, so a block of calls has at least as many.
    const isBlockOfCalls = current.calls.size <= MAX_BLOCK_UNITS
    const found =
      (isBlockOfCalls ? judgeUnits([...earlier.singles, ...toSingles(current.calls)], requested) : undefined) ??
      (earlier.names.has(current.name) ? judgeUnits([...earlier.answers, current], requested) : undefined)
    return found ? repeats(found, earlier.nudged) : { type: "fresh" }
  }
}

function createAnswer(reply: string | undefined) {
  return { reply, name: 0, calls: new Map<number, CallRecord>(), copies: new Map<number, number>() }
}

function createWindow(all: readonly AnswerUnit[]) {
  const answers = all.slice(1 - MAX_UNITS)
  return {
    answers,
    names: new Set(answers.map(({ name }) => name)),
    calls: new Set(answers.flatMap(({ calls }) => [...calls.keys()])),
    singles: answers.flatMap(({ singles }) => singles).slice(1 - MAX_UNITS),
    nudged: new Set(answers.flatMap(({ nudged }) => nudged)),
  }
}

type Found = Omit<CallRepetition, "kind" | "nudged">

function repeats(found: Found, nudgedNames: ReadonlySet<number>): Verdict {
  const nudged = found.block.some((call) => nudgedNames.has(nameOf(call)))
  return { type: "repeats", repetition: { kind: "calls", ...found, nudged } }
}

function judgeUnits(all: readonly Unit[], requested: () => number): Found | undefined {
  const units = all.slice(-MAX_UNITS)
  const tolerated: number[] = []
  for (let length = 1; length <= units.length / UNCHANGED_LIMIT; length++) {
    // Several rounds of a tolerated rotation are not a rotation of their own.
    if (length > MAX_ORDERED_UNITS && tolerated.some((shorter) => length % shorter === 0)) continue
    const found = judgeBlocks(units, length, requested)
    if (found === "tolerated") tolerated.push(length)
    else if (found) return found
  }
  return undefined
}

/** Returns "tolerated" if the results stay the same, but the block waits or the user requested it. */
function judgeBlocks(units: readonly Unit[], length: number, requested: () => number): Found | "tolerated" | undefined {
  const same = repetitions(units, length, hasSameCalls)
  if (same < UNCHANGED_LIMIT) return undefined
  const unchanged = repetitions(units, length, (a, b) => hasSameCalls(a, b) && hasSameOutcomes(a, b))
  const block = callsOf(units.slice(-length))
  const rest = unchanged < UNCHANGED_LIMIT ? undefined : "tolerated"
  // A failing poll does not count as waiting.
  const recent = callsOf(units.slice(-2 * length))
  const isWaiting = block.some((call) => call.pollable) && !recent.some((call) => call.failed)
  const possible = Math.floor(MAX_UNITS / length)
  if (isWaiting) {
    const isEndless = unchanged >= Math.min(boundFor(WAITING_LIMIT, length), possible)
    return isEndless ? { block, times: unchanged, reason: "waiting" } : rest
  }
  const allowed = requested() + 1
  if (unchanged >= Math.min(Math.max(UNCHANGED_LIMIT, allowed), possible))
    return { block, times: unchanged, reason: "unchanged" }
  return same >= Math.max(boundFor(CHANGING_LIMIT, length), allowed) ? { block, times: same, reason: "changing" } : rest
}

function boundFor(bound: number, length: number): number {
  return length > MAX_ORDERED_UNITS ? bound : Math.min(bound, Math.floor(MAX_UNITS_OF_ORDERED / length))
}

function callsOf(units: readonly Unit[]): CallRecord[] {
  return units.flatMap(({ calls }) => [...calls.values()])
}

type Block = readonly Unit[]

/** Returns how often the last `length` units come in a row at the end. */
function repetitions(units: readonly Unit[], length: number, isEqual: (a: Block, b: Block) => boolean): number {
  let times = 1
  let later = units.slice(-length)
  for (let end = units.length - length; end >= length; end -= length) {
    const block = units.slice(end - length, end)
    if (!isEqual(block, later)) break
    later = block
    times++
  }
  return times
}

function hasSameCalls(a: Block, b: Block): boolean {
  if (a.length <= MAX_ORDERED_UNITS) return a.every(({ name }, at) => name === b[at]?.name)
  return nameOfBlock(a) === nameOfBlock(b)
}

function nameOfBlock(block: Block): number {
  return block.reduce((sum, { name }) => sumOfNames(sum, name), 0)
}

/** Compares two blocks of the same calls. */
function hasSameOutcomes(a: Block, b: Block): boolean {
  const others = sorted(b)
  return sorted(a).every((call, at) => hasSameOutcome(call, others[at]))
}

/** Returns the calls of a block sorted by name; equal ones stay in their order. */
function sorted(block: Block): readonly CallRecord[] {
  const named = block.flatMap(({ calls }) => [...calls])
  return named.toSorted(([a], [b]) => a - b).map(([, call]) => call)
}

/** Returns whether two calls have the same outcome. A call that still runs, or did not run, shows no change. */
function hasSameOutcome(a: CallRecord, b: CallRecord | undefined): boolean {
  if (a.nudged || !b || b.nudged || a.outcome === undefined || b.outcome === undefined) return true
  return a.outcome === b.outcome
}

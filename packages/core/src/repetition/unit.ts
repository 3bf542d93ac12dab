import { hash } from "node:crypto"
import type { Call } from "./repetition.ts"

export interface CallRecord extends Call {
  /** Text that is the same for equal results; missing while the call runs. */
  readonly outcome?: string | undefined
  /** Set if it ended with an error. */
  readonly failed?: boolean
  /** Set if the call did not run, because the model was told instead that it repeats itself. */
  readonly nudged?: boolean
}

/** A call, or the calls of one answer without copies and order. */
export interface Unit {
  /** Equal for equal units. The name of several calls is the sum of their names, in any order. */
  readonly name: number
  /** The first copy of each call by its name, in the order of the answer. */
  readonly calls: ReadonlyMap<number, CallRecord>
}

export interface AnswerUnit extends Unit {
  /** The calls as units, in an order that does not depend on that of the answer. */
  readonly singles: readonly Unit[]
  /** Names of the calls that were answered with a nudge, including copies. */
  readonly nudged: readonly number[]
}

/** Names are whole numbers below this bound, so that the sum of two of them is exact. */
const NAME_BITS = 52

export function nameOf({ tool, key }: Call): number {
  return Number.parseInt(hash("sha256", `${tool}\0${key}`, "hex").slice(0, NAME_BITS / 4), 16)
}

export function sumOfNames(a: number, b: number): number {
  return (a + b) % 2 ** NAME_BITS
}

export function toAnswerUnit(records: readonly CallRecord[]): AnswerUnit {
  const calls = new Map<number, CallRecord>()
  const nudged: number[] = []
  for (const call of records) {
    const name = nameOf(call)
    if (!calls.has(name)) calls.set(name, call)
    if (call.nudged) nudged.push(name)
  }
  return { name: [...calls.keys()].reduce(sumOfNames, 0), calls, singles: toSingles(calls), nudged }
}

export function toSingles(calls: ReadonlyMap<number, CallRecord>): readonly Unit[] {
  const ordered = [...calls].toSorted(([, a], [, b]) => compare(a.tool, b.tool) || compare(a.key, b.key))
  return ordered.map(([name, call]) => ({ name, calls: new Map([[name, call]]) }))
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

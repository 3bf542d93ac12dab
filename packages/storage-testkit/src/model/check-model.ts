import type { MaintainedStorage } from "@pawl/core/storage"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { describeRecord } from "../fixtures.ts"
import { type StorageUnderTest, withLocations } from "../run-spec.ts"
import { collect } from "../writes.ts"
import { stepArbitraries } from "./arbitrary-steps.ts"
import { QUERIES } from "./arbitrary-writes.ts"
import type { Side, Step } from "./side.ts"
import { comparableChanges, comparableHits, countsOf, problemsOf } from "./comparable.ts"

export interface ComparedStorage extends Pick<StorageUnderTest, "open" | "persistent"> {
  /** Creates a new, empty storage that is known to be correct: `memoryStorage`. */
  readonly reference: () => MaintainedStorage
  /** Runs with the same seed have the same steps. Default: 1. */
  readonly seed?: number
  /** Number of sequences of steps. Default: 100. */
  readonly runs?: number
  /** Milliseconds after which no new sequence starts and no simpler failure is searched. Default: 3000. */
  readonly budget?: number
  /** False: report the first failure without simplifying it. Default: true. */
  readonly shrink?: boolean
}

const MAX_STEPS = 30

/** Registers one test, which runs random steps and compares the storage's results with the reference's. */
export function testStorageModel(name: string, compared: ComparedStorage): void {
  const { seed = 1, runs = 100 } = compared
  it(`storage model: ${name} answers as the reference does (seed ${seed}, ${runs} runs)`, () =>
    checkStorageModel(compared))
}

/** Rejects if a result differs, with the shortest failing sequence that was found and its seed. */
export async function checkStorageModel(compared: ComparedStorage): Promise<void> {
  const { seed = 1, runs = 100, budget = 3000, shrink = true } = compared
  const commands = fc.commands(
    stepArbitraries.map((steps) => steps.map((step) => comparing(step))),
    { maxCommands: MAX_STEPS, size: "max" },
  )
  let deadline = performance.now() + budget
  let failed = false
  const property = fc.asyncProperty(commands, async (steps) => {
    if (performance.now() > deadline) return
    try {
      await compareRun(compared, steps)
    } catch (error) {
      if (!failed) deadline = performance.now() + budget
      failed = true
      throw error
    }
  })
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: !shrink, includeErrorInReport: true })
}

type Command = fc.AsyncCommand<Side, Side>

function comparing(step: Step): Command {
  return {
    check: () => true,
    run: async (reference, storage) => {
      expect(await step.run(storage)).toEqual(await step.run(reference))
    },
    toString: () => step.toString(),
  }
}

async function compareRun(
  { open, persistent = true, reference }: ComparedStorage,
  steps: Iterable<Command>,
): Promise<void> {
  await withLocations(open, async (openAt) => {
    const openAgain = () => openAt("here")
    const storage = await openAgain()
    const real = sideOf(storage, persistent ? await openAgain() : storage, async (closed) => {
      if (!persistent) return closed
      await closed.close()
      return openAgain()
    })
    const memory = reference()
    const right = sideOf(memory, memory, async (closed) => closed)
    await fc.asyncModelRun(() => ({ model: right, real }), steps)
    expect(await everythingOf(real)).toEqual(await everythingOf(right))
    await memory.close()
  })
}

function sideOf(first: MaintainedStorage, second: MaintainedStorage, reopen: Side["reopen"]): Side {
  return { handles: [first, second], leases: [], epochs: new Map(), reopen }
}

/** Reads everything at the end, through the second handle. */
async function everythingOf({ handles: [, storage] }: Side): Promise<object> {
  const { sessions, blobs } = await describeRecord(storage)
  const records = sessions.map((session) => ({ ...session, changes: comparableChanges(session.changes) }))
  const contexts = await Promise.all(sessions.map(({ session }) => storage.readContext(session.id)))
  const found: unknown[] = []
  for (const text of QUERIES) found.push([text, comparableHits(await collect(storage.search({ text })))])
  return { records, contexts, blobs, found, counts: await countsOf(storage), problems: await problemsOf(storage) }
}

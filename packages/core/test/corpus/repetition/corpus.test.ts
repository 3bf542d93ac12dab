import { describe, expect, it } from "vitest"
import { heldOutHonest } from "./held-out-honest.ts"
import { heldOutLoops } from "./held-out-loops.ts"
import { lateHonest } from "./late-honest.ts"
import { lateLoops } from "./late-loops.ts"
import { replay } from "./replay.ts"
import { rotatingHonest, rotatingLoops } from "./rotations.ts"
import type { Trace } from "./trace.ts"
import { tunedHonest } from "./tuned-honest.ts"
import { tunedLoops } from "./tuned-loops.ts"
import { wideHonest, wideLoops } from "./wide.ts"

/**
 * The guard was tuned with the first part alone; the third one was written when it was finished. The last one came with
 * the blocks of more than four units.
 */
const parts: [string, Trace[]][] = [
  ["that the guard was tuned with", [...tunedLoops, ...tunedHonest]],
  ["that was held out", [...heldOutLoops, ...heldOutHonest]],
  ["that was written last", [...lateLoops, ...lateHonest]],
  ["of answers with many calls and of repetition that was asked for", [...wideLoops, ...wideHonest]],
  ["of rotations of many calls and of honest work that comes back to the same", [...rotatingLoops, ...rotatingHonest]],
]
const all = parts.flatMap(([, traces]) => traces)
const flagged = new Set(all.filter((trace) => replay(trace)))

/** Shares of the loops that are flagged, and of the honest traces. */
function rates(traces: readonly Trace[]) {
  const share = (isLoop: boolean) => {
    const labelled = traces.filter((trace) => trace.isLoop === isLoop)
    return labelled.filter((trace) => flagged.has(trace)).length / labelled.length
  }
  return { recall: share(true), falsePositives: share(false) }
}

describe("the labelled traces", () => {
  it("are more than 120, at least 60 of a kind, each with a name of its own", () => {
    expect(all.filter((trace) => trace.isLoop).length).toBeGreaterThanOrEqual(60)
    expect(all.filter((trace) => !trace.isLoop).length).toBeGreaterThanOrEqual(60)
    expect(new Set(all.map((trace) => trace.name)).size).toBe(all.length)
  })

  it.each(parts)("tell loops from honest work in the part %s", (_, traces) => {
    const { recall, falsePositives } = rates(traces)
    expect(recall).toBeGreaterThanOrEqual(0.95)
    expect(falsePositives).toBeLessThanOrEqual(0.03)
  })

  it("are flagged in 95 of 100 loops and in at most 2 of 100 honest traces", () => {
    const { recall, falsePositives } = rates(all)
    expect(recall).toBeGreaterThanOrEqual(0.95)
    expect(falsePositives).toBeLessThanOrEqual(0.02)
  })
})

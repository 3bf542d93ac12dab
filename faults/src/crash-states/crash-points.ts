import type { Attempt } from "../record/attempt.ts"
import { readAttempts } from "../record/attempt.ts"
import { createReplay } from "./replay.ts"
import { type DirectoryNode, type Files, stateAfter } from "./disk.ts"
import type { Loss } from "./fates.ts"
import { gathered, type SystemCall, type TraceEvent } from "./system-call.ts"

/** A place in a trace at which the power is cut. */
export interface CrashPoint {
  /** The number of the call after which the power is cut, and its name. */
  readonly at: string
  /** Returns what had been attempted and acknowledged until then. */
  readonly attempts: () => readonly Attempt[]
  /** Returns what the power cut leaves. Must be called before the next point is asked for. */
  readonly state: (loss: Loss) => Files
}

export interface CrashPointOptions {
  /** The directory that the power cut is about, as it is named in the trace. */
  readonly directory: string
  /** What the directory holds at first. Default: nothing. */
  readonly root?: DirectoryNode
  /** Of the writes in a row, every so many-th is a point, and the first is. Of all other calls, each is. */
  readonly step: number
  /** Leaves calls out, as if the program had not made them. */
  readonly without?: ((call: SystemCall) => boolean) | undefined
}

/** Each prefix of the trace that may leave another state. What is written by `writev` is the log of the attempts. */
export function* crashPoints(trace: Iterable<TraceEvent>, options: CrashPointOptions): Generator<CrashPoint> {
  const { directory, root, step, without = () => false } = options
  const replay = createReplay(directory, root)
  let [logged, changes, writes] = ["", 0, 0]
  for (const { type, call } of trace) {
    if (type === "entered") {
      // The child believes it as soon as it says it.
      if (call.name === "writev") logged += gathered(call.args[1] ?? "").toString()
      continue
    }
    if (without(call) || !replay.apply(call)) continue
    changes++
    writes = call.name.includes("write") ? writes + 1 : 0
    if (writes > 0 && (writes - 1) % step > 0) continue
    yield {
      at: `${changes} (${call.name})`,
      attempts: () => readAttempts(logged).attempts,
      state: (loss) => stateAfter(replay.root, loss),
    }
  }
}

import type { Attempt } from "../record/attempt.ts"
import { readAttempts } from "../record/attempt.ts"
import { createReplay } from "./replay.ts"
import { type DirectoryNode, type Files, stateAfter } from "./disk.ts"
import type { Loss } from "./fates.ts"
import { gathered, type SystemCall, type TraceEvent } from "./system-call.ts"

/** A position in a trace where the power is cut. */
export interface CrashPoint {
  /** Number and name of the last call before the power cut. */
  readonly at: string
  /** Returns what had been attempted and acknowledged by then. */
  readonly attempts: () => readonly Attempt[]
  /** Returns the files that the power cut leaves. Call it before advancing to the next point. */
  readonly state: (loss: Loss) => Files
}

export interface CrashPointOptions {
  /** The directory that loses power, by its name in the trace. */
  readonly directory: string
  /** Initial content of the directory. Default: empty. */
  readonly root?: DirectoryNode
  /** In a series of writes, the first one and every n-th one is a point. Every other call is a point. */
  readonly step: number
  /** Skips calls, as if the program had not made them. */
  readonly without?: ((call: SystemCall) => boolean) | undefined
}

/** Yields each prefix of the trace that may leave another state. `writev` calls contain the log of attempts. */
export function* crashPoints(trace: Iterable<TraceEvent>, options: CrashPointOptions): Generator<CrashPoint> {
  const { directory, root, step, without = () => false } = options
  const replay = createReplay(directory, root)
  let [logged, changes, writes] = ["", 0, 0]
  for (const { type, call } of trace) {
    if (type === "entered") {
      // The child relies on an acknowledgement as soon as it logs it.
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

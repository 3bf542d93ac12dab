import type { Attempt } from "../record/attempt.ts"
import { readAttempts } from "../record/attempt.ts"
import { createReplay } from "./replay.ts"
import { type Loss, losses, stateAfter } from "./disk.ts"
import { gathered, parseTrace, type SystemCall } from "./system-call.ts"

/** One way in which a power cut at one point would leave the directory. */
export interface CrashState {
  /** The number of the call after which the power is cut, and its name. */
  readonly at: string
  readonly loss: Loss
  readonly files: ReadonlyMap<string, Buffer | undefined>
  /** What had been attempted and acknowledged until then. */
  readonly attempts: readonly Attempt[]
}

export interface CrashPointOptions {
  /** The directory that the power cut is about, as it is named in the trace. */
  readonly directory: string
  /** Of the writes in a row, every so many-th is a point, and the first is. Of all other calls, each is. */
  readonly step: number
  /** Leaves calls out, as if the program had not made them. */
  readonly without?: (call: SystemCall) => boolean
}

/** Each prefix of the trace, each with every kind of loss. What is written by `writev` is the log of the attempts. */
export function* crashStates(trace: string, options: CrashPointOptions): Generator<CrashState> {
  const { directory, step, without = () => false } = options
  const replay = createReplay(directory)
  let [logged, changes, writes] = ["", 0, 0]
  for (const { type, call } of parseTrace(trace)) {
    if (type === "entered") {
      // The child believes it as soon as it says it.
      if (call.name === "writev") logged += gathered(call.args[1] ?? "").toString()
      continue
    }
    if (without(call) || !replay.apply(call)) continue
    changes++
    writes = call.name.includes("write") ? writes + 1 : 0
    if (writes > 0 && (writes - 1) % step > 0) continue
    const { attempts } = readAttempts(logged)
    for (const loss of losses) {
      yield { at: `${changes} (${call.name})`, loss, files: stateAfter(replay.root, loss), attempts }
    }
  }
}

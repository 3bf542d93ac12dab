import type { Model, ModelRef } from "@pawl/core/provider"
import { createRequestMeter } from "./reply/estimate.ts"
import { checkPace, type Pace } from "./reply/pace.ts"
import { play } from "./reply/play.ts"
import { ranOut } from "./reply/ran-out.ts"
import { createCursor } from "./script/cursor.ts"
import { infoOf, type Position, type Script } from "./script/script.ts"

export interface ReplayOptions {
  /** Default: the script's position, else `history`. */
  position?: Position
  /** Default: the script's pace, else no delay. */
  pace?: Pace
}

/**
 * Creates a model that plays a script. A request for which no reply is left fails with a ProviderError. Throws
 * RangeError for an invalid pace.
 */
export function replayModel(script: Script, ref: ModelRef, options: ReplayOptions = {}): Model {
  const pace = checkPace(options.pace ?? script.header.pace ?? { charactersPerSecond: 0 })
  const indexOf = createCursor(script.replies, options.position ?? script.header.position ?? "history")
  const charactersOf = createRequestMeter()

  return {
    ref,
    info: infoOf(ref.modelID, script.header),
    stream(request, signal) {
      const index = indexOf(request)
      const error = ranOut(`The script ${script.name}`, script.replies.length, index + 1)
      const reply = script.replies[index] ?? [{ type: "fail", error }]
      return play(reply, { pace, requestCharacters: charactersOf(request), signal })
    },
  }
}

import type { Model, ModelInfo, ModelRef, ModelRequest } from "@pawl/core/provider"
import { createRequestMeter } from "./reply/estimate.ts"
import { play } from "./reply/play.ts"
import { ranOut } from "./reply/ran-out.ts"
import { numberCalls, type Reply } from "./reply/reply.ts"
import { defaultInfo } from "./script/script.ts"

export interface ScriptedModelOptions {
  /** Default: `replay/scripted`. */
  ref?: ModelRef
  /** Default: a model without known limits and prices. */
  info?: Partial<ModelInfo>
}

export interface ScriptedModel extends Model {
  /** All requests so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/**
 * Creates a model for tests: the first request gets the first reply, and so on, without delay or network. A request for
 * which no reply is left throws a ProviderError.
 */
export function scriptedModel(replies: readonly Reply[], options: ScriptedModelOptions = {}): ScriptedModel {
  const ref = options.ref ?? { providerID: "replay", modelID: "scripted" }
  const numbered = numberCalls(replies)
  const requests: ModelRequest[] = []
  const charactersOf = createRequestMeter()

  return {
    ref,
    info: { ...defaultInfo(ref.modelID), ...options.info },
    requests,
    stream(request, signal) {
      const count = requests.push(request)
      const reply = numbered[count - 1] ?? [{ type: "fail", error: ranOut("The script", numbered.length, count) }]
      return play(reply, { pace: { charactersPerSecond: 0 }, requestCharacters: charactersOf(request), signal })
    },
  }
}

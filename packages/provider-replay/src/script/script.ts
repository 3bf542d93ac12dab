import type { ModelInfo } from "@pawl/core/provider"
import type { Pace } from "../reply/pace.ts"
import type { Reply } from "../reply/reply.ts"

/**
 * How to select the next reply. `history`: by the number of assistant messages in the request, so that a session
 * continues at the right reply in another process. `sequence`: by the number of requests so far.
 */
export type Position = "history" | "sequence"

/** A parsed script. */
export interface Script {
  /** The file name in messages. */
  readonly name: string
  readonly header: ScriptHeader
  /** All tool calls have ids. */
  readonly replies: readonly Reply[]
}

/** The first line of a script. */
export interface ScriptHeader {
  readonly model?: ScriptedModelInfo | undefined
  readonly pace?: Pace | undefined
  readonly position?: Position | undefined
}

/** A ModelInfo in which every field is optional. */
export interface ScriptedModelInfo {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly limit?: Partial<ModelInfo["limit"]> | undefined
  readonly cost?: Partial<ModelInfo["cost"]> | undefined
  readonly capabilities?: Partial<ModelInfo["capabilities"]> | undefined
}

/** Returns a model without known limits and prices that supports everything. */
export function defaultInfo(id: string): ModelInfo {
  return {
    id,
    name: id,
    limit: { context: 0, output: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    capabilities: { reasoning: true, attachment: true, toolCall: true },
  }
}

/** Returns the model of a script, with the id that the user chose. */
export function infoOf(id: string, { model = {} }: ScriptHeader): ModelInfo {
  const base = defaultInfo(id)
  return {
    id,
    name: model.name ?? model.id ?? id,
    limit: { ...base.limit, ...model.limit },
    cost: { ...base.cost, ...model.cost },
    capabilities: { ...base.capabilities, ...model.capabilities },
  }
}

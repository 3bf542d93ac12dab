import type { ModelInfo } from "@pawl/core"

/** What is known of a model beforehand: its id, and whatever else. */
export interface ConfiguredModel {
  readonly id: string
  readonly name?: string | undefined
  readonly limit?: Partial<ModelInfo["limit"]> | undefined
  readonly cost?: Partial<ModelInfo["cost"]> | undefined
  readonly capabilities?: Partial<ModelInfo["capabilities"]> | undefined
}

/** A model of which only the id is known: no limits, no price, able to call tools. */
export function defaultModelInfo(id: string): ModelInfo {
  return {
    id,
    name: id,
    limit: { context: 0, output: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    capabilities: { reasoning: false, attachment: false, toolCall: true },
  }
}

/** Fills in what is not known. */
export function toModelInfo({ id, name, limit, cost, capabilities }: ConfiguredModel): ModelInfo {
  const unknown = defaultModelInfo(id)
  return {
    id,
    name: name ?? unknown.name,
    limit: { ...unknown.limit, ...limit },
    cost: { ...unknown.cost, ...cost },
    capabilities: { ...unknown.capabilities, ...capabilities },
  }
}

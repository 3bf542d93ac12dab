import type { ModelInfo } from "@pawl/core/provider"
import { type ConfiguredModel, defaultModelInfo, toModelInfo as toInfo } from "@pawl/provider-http"

/** `reasoning_effort`, as most servers take it. */
const efforts: NonNullable<ModelInfo["variants"]> = Object.fromEntries(
  ["low", "medium", "high"].map((effort) => [effort, { reasoningEffort: effort }]),
)

/** A reasoning model gets the usual efforts in addition to its configured variants. */
export function toModelInfo(model: ConfiguredModel): ModelInfo {
  const known = defaultModelInfo(model.id)
  return toInfo(model, model.capabilities?.reasoning === true ? { ...known, variants: efforts } : known)
}

import type { Model } from "@pawl/core/provider"
import { promptFor } from "./prompts/prompt-for.ts"
import { findRejectedFiles } from "./rejections/find-rejected-files.ts"

/** Adds what is known about the model's vendor by its name: the system prompt, and how it refuses files. */
export function withVendor(model: Model): Model {
  const systemPrompt = promptFor(model.ref.modelID, model.info.promptFamily)
  return { ...model, findRejectedFiles, ...(systemPrompt === undefined ? {} : { systemPrompt }) }
}

import type { Model } from "@pawl/core/provider"
import { inputRulesFor } from "./input-rules/input-rules-for.ts"
import { promptFor } from "./prompts/prompt-for.ts"
import { findRejectedFiles } from "./rejections/find-rejected-files.ts"

/**
 * Adds what is known about the model's vendor by its name: the system prompt, how it counts and limits input, and how it
 * refuses files.
 */
export function withVendor(model: Model): Model {
  const systemPrompt = promptFor(model.ref.modelID, model.info.promptFamily)
  const inputRules = inputRulesFor(model.ref)
  return {
    ...model,
    findRejectedFiles,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(inputRules === undefined ? {} : { inputRules }),
  }
}

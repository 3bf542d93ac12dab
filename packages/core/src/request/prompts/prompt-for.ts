import { claudePrompt } from "./claude-prompt.ts"
import { codexPrompt } from "./codex-prompt.ts"
import { defaultPrompt } from "./default-prompt.ts"
import { geminiPrompt } from "./gemini-prompt.ts"
import { gptPrompt } from "./gpt-prompt.ts"
import type { ModelInfo } from "../../contracts/model.ts"

type PromptFamily = NonNullable<ModelInfo["promptFamily"]>

/** The first that fits counts. */
const families: readonly (readonly [family: RegExp, prompt: string])[] = [
  [/gpt-[5-9]|codex/, codexPrompt],
  [/gpt-|^o[134](-|$)/, gptPrompt],
  [/gemini-/, geminiPrompt],
  [/claude/, claudePrompt],
]

/** For models whose ids tell nothing, such as deployments with names of their own: the newest of a family. */
const promptOf: { readonly [F in PromptFamily]: string } = {
  anthropic: claudePrompt,
  openai: codexPrompt,
  gemini: geminiPrompt,
  default: defaultPrompt,
}

/**
 * The system prompt for a model: by its id, whatever a provider writes before or behind the name, else by the family
 * that its catalogue tells.
 */
export function promptFor(modelID: string, family: PromptFamily = "default"): string {
  const name = modelID.toLowerCase().slice(modelID.lastIndexOf("/") + 1)
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? promptOf[family]
}

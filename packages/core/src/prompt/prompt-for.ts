import { claudePrompt } from "./claude-prompt.ts"
import { codexPrompt } from "./codex-prompt.ts"
import { defaultPrompt } from "./default-prompt.ts"
import { geminiPrompt } from "./gemini-prompt.ts"
import { gptPrompt } from "./gpt-prompt.ts"

/** The first that fits counts. */
const families: readonly (readonly [family: RegExp, prompt: string])[] = [
  [/gpt-[5-9]|codex/, codexPrompt],
  [/gpt-|^o[134](-|$)/, gptPrompt],
  [/gemini-/, geminiPrompt],
  [/claude/, claudePrompt],
]

/** The system prompt for the model's family, known by its id, whatever a provider writes before or behind the name. */
export function promptFor(modelID: string): string {
  const name = modelID.toLowerCase().slice(modelID.lastIndexOf("/") + 1)
  return families.find(([family]) => family.test(name))?.[1] ?? defaultPrompt
}

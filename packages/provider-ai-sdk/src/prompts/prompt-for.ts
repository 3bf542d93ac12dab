import { claudePrompt } from "./claude-prompt.ts"
import { codexPrompt } from "./codex-prompt.ts"
import { geminiPrompt } from "./gemini-prompt.ts"
import { gptPrompt } from "./gpt-prompt.ts"

/** Prompts by patterns of model ids. The first match wins. */
const families: readonly (readonly [family: RegExp, prompt: string])[] = [
  [/gpt-[5-9]|codex/, codexPrompt],
  [/gpt-|^o[134](-|$)/, gptPrompt],
  [/gemini-/, geminiPrompt],
  [/claude/, claudePrompt],
]

/** Prompts by family, for models with unknown ids, such as named deployments: the newest prompt of a family. */
const promptOf: ReadonlyMap<string, string> = new Map([
  ["anthropic", claudePrompt],
  ["openai", codexPrompt],
  ["gemini", geminiPrompt],
])

/**
 * Returns the system prompt for a model: by its id, ignoring prefixes and suffixes of a provider, else by the family in
 * its catalogue. Undefined if both are unknown: the engine has a prompt for such models.
 */
export function promptFor(modelID: string, family?: string): string | undefined {
  const name = modelID.toLowerCase().slice(modelID.lastIndexOf("/") + 1)
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? promptOf.get(family ?? "")
}

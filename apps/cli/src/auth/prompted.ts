import type { AuthInputs, AuthPrompt } from "@pawl/core/plugin"
import { UsageError } from "../arguments/usage-error.ts"
import type { Prompter } from "./prompter.ts"

/** Returns the user's answers to the prompts, by key. Throws UsageError without a terminal. */
export async function prompted(prompts: readonly AuthPrompt[], prompter: Prompter | undefined): Promise<AuthInputs> {
  const inputs: Record<string, string> = {}
  for (const prompt of prompts) {
    if (!isWanted(prompt, inputs)) continue
    if (!prompter) throw new UsageError(`Input needed for "${prompt.message}", but stdin is not a terminal.`)
    inputs[prompt.key] = await answerTo(prompt, prompter)
  }
  return inputs
}

export function isWanted(prompt: AuthPrompt, inputs: AuthInputs): boolean {
  if (prompt.isWanted) return prompt.isWanted(inputs)
  const { when } = prompt
  return when === undefined || (inputs[when.key] === when.value) === (when.op === "eq")
}

function answerTo(prompt: AuthPrompt, prompter: Prompter): Promise<string> {
  const { type, message, options = [], placeholder } = prompt
  if (type === "select" && options.length > 0) return prompter.choice(message, options)
  const question = placeholder === undefined ? message : `${message} (${placeholder})`
  return prompter.text(question, (answer) => prompt.validate?.(answer))
}

import type { AuthInputs, AuthPrompt } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"
import type { Person } from "./person.ts"

/** Returns the user's answers to the prompts, by key. Throws UsageError without a terminal. */
export async function prompted(prompts: readonly AuthPrompt[], person: Person | undefined): Promise<AuthInputs> {
  const inputs: Record<string, string> = {}
  for (const prompt of prompts) {
    if (!isWanted(prompt, inputs)) continue
    if (!person) throw new UsageError(`Input needed for "${prompt.message}", but stdin is not a terminal.`)
    inputs[prompt.key] = await answerTo(prompt, person)
  }
  return inputs
}

export function isWanted(prompt: AuthPrompt, inputs: AuthInputs): boolean {
  if (prompt.isWanted) return prompt.isWanted(inputs)
  const { when } = prompt
  return when === undefined || (inputs[when.key] === when.value) === (when.op === "eq")
}

function answerTo(prompt: AuthPrompt, person: Person): Promise<string> {
  const { type, message, options = [], placeholder } = prompt
  if (type === "select" && options.length > 0) return person.choice(message, options)
  const question = placeholder === undefined ? message : `${message} (${placeholder})`
  return person.text(question, (answer) => prompt.validate?.(answer))
}

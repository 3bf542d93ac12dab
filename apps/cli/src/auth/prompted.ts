import type { AuthInputs, AuthPrompt } from "@pawl/core/plugin"
import { inputProblem, isChoice, signInInputs } from "@pawl/credentials/sign-in-inputs"
import { UsageError } from "../arguments/usage-error.ts"
import type { Prompter } from "./prompter.ts"

/** Returns the user's answers to the prompts, by key. Throws UsageError without a terminal. */
export async function prompted(prompts: readonly AuthPrompt[], prompter: Prompter | undefined): Promise<AuthInputs> {
  return signInInputs(prompts, (prompt) => {
    if (prompter) return answerTo(prompt, prompter)
    throw new UsageError(`Input needed for "${prompt.message}", but stdin is not a terminal.`)
  })
}

function answerTo(prompt: AuthPrompt, prompter: Prompter): Promise<string> {
  const { message, placeholder } = prompt
  if (isChoice(prompt)) return prompter.choice(message, prompt.options)
  const question = placeholder === undefined ? message : `${message} (${placeholder})`
  return prompter.text(question, (answer) => inputProblem(prompt, answer))
}

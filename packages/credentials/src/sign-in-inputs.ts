import type { AuthInputs, AuthPrompt } from "@pawl/core/plugin"

/** Returns the answers to the wanted prompts of a method, by key. A prompt without an answer is left out. */
export async function signInInputs(
  prompts: readonly AuthPrompt[],
  answerTo: (prompt: AuthPrompt) => Promise<string | undefined> | string | undefined,
): Promise<AuthInputs> {
  const inputs: Record<string, string> = {}
  for (const prompt of prompts) {
    if (!isWanted(prompt, inputs)) continue
    const answer = await answerTo(prompt)
    if (answer !== undefined) inputs[prompt.key] = answer
  }
  return inputs
}

/** Returns the problem of an answer; undefined if it is valid. */
export function inputProblem(prompt: AuthPrompt, answer: string): string | undefined {
  if (!isChoice(prompt)) return prompt.validate?.(answer)
  const values = prompt.options.map(({ value }) => value)
  return values.includes(answer) ? undefined : `expected one of ${values.join(", ")}.`
}

/** Returns whether the user chooses the answer from a list. */
export function isChoice(prompt: AuthPrompt): prompt is AuthPrompt & Required<Pick<AuthPrompt, "options">> {
  return prompt.type === "select" && prompt.options !== undefined && prompt.options.length > 0
}

function isWanted(prompt: AuthPrompt, inputs: AuthInputs): boolean {
  if (prompt.isWanted) return prompt.isWanted(inputs)
  const { when } = prompt
  return when === undefined || (inputs[when.key] === when.value) === (when.op === "eq")
}

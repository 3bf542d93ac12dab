import { between, flag, validateSettings, whole, type Setting } from "../settings.ts"
import { isAbsent, type Problem } from "../problem.ts"

/** Returns the first problem among the known settings. A setting may be absent or null. */
export function validateChatSettings(body: Record<string, unknown>): Problem {
  const problem = validateSettings(body, settings)
  if (problem !== undefined) return problem
  if (isAbsent(body.parallel_tool_calls) || Array.isArray(body.tools)) return undefined
  return "parallel_tool_calls: allowed only together with tools."
}

const settings: Readonly<Record<string, Setting>> = {
  temperature: between(0, 2),
  top_p: between(0, 1),
  frequency_penalty: between(-2, 2),
  presence_penalty: between(-2, 2),
  max_tokens: whole(1),
  max_completion_tokens: whole(1),
  n: whole(1, 128),
  seed: { isValid: (value) => Number.isInteger(value), form: "a whole number" },
  stop: { isValid: isStop, form: "a string or an array of 1 to 4 strings" },
  logprobs: flag,
  top_logprobs: whole(0, 20),
  parallel_tool_calls: flag,
}

function isStop(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value === "string"
  return value.length >= 1 && value.length <= 4 && value.every((text) => typeof text === "string")
}

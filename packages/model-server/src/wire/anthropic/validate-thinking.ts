import { isObject, show } from "../../json-object.ts"
import { isAbsent, type Problem } from "../problem.ts"
import { toTurns } from "./turns.ts"

/**
 * Returns the first problem with the thinking of a body that is otherwise valid: its settings, the sampling that it
 * allows, and the thinking blocks. With a fixed budget, the answer before the final results must include its thinking;
 * with adaptive thinking it is optional.
 */
export function validateThinking(body: Readonly<Record<string, unknown>>): Problem {
  const { thinking } = body
  if (isAbsent(thinking)) return undefined
  if (!isObject(thinking)) return `thinking: must be an object, {type}, got ${show(thinking)}.`
  if (thinking.type === "disabled") return undefined
  if (thinking.type !== "enabled" && thinking.type !== "adaptive") {
    return `thinking.type: ${show(thinking.type)} is not one of enabled, adaptive, disabled.`
  }
  return (
    (thinking.type === "enabled" ? validateBudget(thinking.budget_tokens, body.max_tokens) : undefined) ??
    validateSampling(body) ??
    (thinking.type === "enabled" ? validateLastThinking(body.messages as unknown[]) : undefined)
  )
}

function validateBudget(budget: unknown, maxTokens: unknown): Problem {
  if (!Number.isInteger(budget) || Number(budget) < 1024) {
    return `thinking.budget_tokens: must be a whole number of 1024 or more, got ${show(budget)}.`
  }
  return Number(budget) < Number(maxTokens) ? undefined : "max_tokens: must be greater than thinking.budget_tokens."
}

function validateSampling({
  temperature,
  top_p: topP,
  top_k: topK,
  tool_choice: choice,
}: Readonly<Record<string, unknown>>) {
  if (!isAbsent(temperature) && temperature !== 1) return "temperature: may only be set to 1 when thinking is enabled."
  if (!isAbsent(topK)) return "top_k: must be unset when thinking is enabled."
  if (!isAbsent(topP) && Number(topP) < 0.95) return "top_p: must be 0.95 or more, or unset, when thinking is enabled."
  if (!isObject(choice) || (choice.type !== "any" && choice.type !== "tool")) return undefined
  return "tool_choice: thinking may not be enabled when tool_choice forces tool use."
}

function validateLastThinking(messages: readonly unknown[]): Problem {
  const turns = toTurns(messages)
  const last = turns.at(-1)
  const answer = last?.role === "assistant" ? last : isResult(last?.blocks[0]) ? turns.at(-2) : undefined
  const type = answer?.blocks[0]?.type
  if (answer === undefined || type === undefined || type === "thinking" || type === "redacted_thinking")
    return undefined
  return (
    `${answer.place}.content[0].type: Expected "thinking" or "redacted_thinking", but found ${show(type)}. When ` +
    "thinking is enabled, the last assistant message must begin with its thinking block."
  )
}

function isResult(block: { type?: unknown } | undefined): boolean {
  return block?.type === "tool_result"
}

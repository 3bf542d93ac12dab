import { type Answer, type AnswerStep, cycled, type ToolCallStep } from "../../script/answer.ts"
import type { AnswerOpening } from "../wire-format.ts"
import { toChatFinish, toChatUsage } from "./chat-usage.ts"

/** Returns the body of an answer that is not streamed. */
export function toChatCompletion({ number, model, createdAt }: AnswerOpening, { steps, finish, usage }: Answer) {
  const text = steps.map(textOf).join("")
  const reasoning = steps.map((step) => (step.type === "reasoning" ? step.chunks.join("") : "")).join("")
  const calls = steps.filter((step) => step.type === "tool-call").map(toChatToolCall)
  return {
    id: `chatcmpl-${number}`,
    object: "chat.completion",
    created: Math.floor(createdAt / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" && calls.length > 0 ? null : text,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        finish_reason: toChatFinish(finish),
      },
    ],
    usage: toChatUsage(usage),
  }
}

function textOf(step: AnswerStep): string {
  if (step.type === "text") return step.chunks.join("")
  return step.type === "deltas" ? cycled(step) : ""
}

function toChatToolCall({ id, name, chunks }: ToolCallStep) {
  return { id, type: "function", function: { name, arguments: chunks.join("") } }
}

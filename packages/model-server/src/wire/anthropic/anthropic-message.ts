import type { Answer } from "../../script/answer.ts"
import { toBlocks, type Block } from "../blocks.ts"
import type { AnswerOpening } from "../wire-format.ts"
import { toAnthropicUsage, toStopReason } from "./anthropic-usage.ts"

/** Returns the body of an answer that is not streamed. */
export function toAnthropicMessage({ number, model }: AnswerOpening, { steps, finish, usage }: Answer) {
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: toBlocks({ steps }).map(toContent),
    stop_reason: toStopReason(finish),
    stop_sequence: null,
    usage: toAnthropicUsage(usage),
  }
}

function toContent(block: Block) {
  if (block.type === "text") return { type: "text", text: block.text }
  if (block.type === "reasoning") return { type: "thinking", thinking: block.text, signature: block.signature }
  return { type: "tool_use", id: block.id, name: block.name, input: toInput(block.input) }
}

/**
 * Parses the input, since a complete message contains parsed input. Invalid JSON is sent as a string, which every tool
 * rejects.
 */
function toInput(input: string): unknown {
  if (input === "") return {}
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

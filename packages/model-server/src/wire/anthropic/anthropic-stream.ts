import { continuesBlock, signatureOfBlock, type OpenBlock } from "../open-block.ts"
import { typedFrame } from "../server-sent-events.ts"
import type { AnswerEvent, AnswerOpening } from "../wire-format.ts"
import { toAnthropicError } from "./anthropic-error.ts"
import { toAnthropicUsage, toStopReason } from "./anthropic-usage.ts"

/**
 * Encodes an answer as named server-sent events. A block stays open until something else is said:
 *
 *     message_start, (content_block_start, content_block_delta …, content_block_stop) …, message_delta, message_stop
 */
export function openAnthropicStream(opening: AnswerOpening): (event: AnswerEvent) => string {
  let block: OpenBlock | undefined
  let index = -1

  const delta = (value: object) => typedFrame({ type: "content_block_delta", index, delta: value })

  function close(): string {
    if (block === undefined) return ""
    const signature =
      block.type === "reasoning" ? delta({ type: "signature_delta", signature: signatureOfBlock(block) }) : ""
    block = undefined
    return signature + typedFrame({ type: "content_block_stop", index })
  }

  function open(next: OpenBlock, content: object): string {
    const closing = close()
    block = next
    index++
    const start = typedFrame({ type: "content_block_start", index, content_block: content })
    return closing + start + (index === 0 ? typedFrame({ type: "ping" }) : "")
  }

  function speak(event: Extract<AnswerEvent, { type: "text" | "reasoning" }>): string {
    if (event.type === "text") {
      const start = continuesBlock(block, event) ? "" : open({ type: "text" }, { type: "text", text: "" })
      return start + delta({ type: "text_delta", text: event.delta })
    }
    const start = continuesBlock(block, event)
      ? ""
      : open(
          { type: "reasoning", text: "", signature: event.signature },
          { type: "thinking", thinking: "", signature: "" },
        )
    if (block?.type === "reasoning") block.text += event.delta
    return start + delta({ type: "thinking_delta", thinking: event.delta })
  }

  return (event) => {
    switch (event.type) {
      case "start":
        return typedFrame({ type: "message_start", message: toOpenMessage(opening) })
      case "text":
      case "reasoning":
        return speak(event)
      case "tool-call": {
        const { id, name } = event
        const start = open({ type: "tool-call" }, { type: "tool_use", id, name, input: {} })
        return start + delta({ type: "input_json_delta", partial_json: "" })
      }
      case "tool-arguments":
        return delta({ type: "input_json_delta", partial_json: event.delta })
      case "bad-json":
        return `event: content_block_delta\ndata: {"type":"content_block_delta","index":\n\n`
      case "error":
        return typedFrame(toAnthropicError(event.error).body)
    }
    return [
      close(),
      typedFrame({
        type: "message_delta",
        delta: { stop_reason: toStopReason(event.reason), stop_sequence: null },
        usage: toAnthropicUsage(event.usage),
      }),
      typedFrame({ type: "message_stop" }),
    ].join("")
  }
}

function toOpenMessage({ number, model, usage }: AnswerOpening) {
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: toAnthropicUsage({ ...usage, outputTokens: Math.min(1, usage.outputTokens), reasoningTokens: 0 }),
  }
}

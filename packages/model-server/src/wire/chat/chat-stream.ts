import type { AnswerEvent, AnswerOpening } from "../wire-format.ts"
import { dataFrame } from "../server-sent-events.ts"
import { toChatError } from "./chat-error.ts"
import type { ChatRequest } from "./chat-request.ts"
import { toChatFinish, toChatUsage } from "./chat-usage.ts"

/** Encodes an answer as server-sent events: `data: {chunk}` for each event, `data: [DONE]` after the finish. */
export function openChatStream({ number, model, createdAt, request }: AnswerOpening): (event: AnswerEvent) => string {
  const opening = {
    id: `chatcmpl-${number}`,
    object: "chat.completion.chunk",
    created: Math.floor(createdAt / 1000),
    model,
  }
  const includeUsage = (request as Partial<ChatRequest>).stream_options?.include_usage === true
  const noUsage = includeUsage ? { usage: null } : {}

  const chunk = (delta: object, finish: string | null = null) =>
    dataFrame({ ...opening, choices: [{ index: 0, delta, finish_reason: finish }], ...noUsage })

  return (event) => {
    switch (event.type) {
      case "start":
        return chunk({ role: "assistant", content: "" })
      case "text":
        return chunk({ content: event.delta })
      case "reasoning":
        return chunk({ reasoning_content: event.delta })
      case "tool-call": {
        const { index, id, name } = event
        return chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] })
      }
      case "tool-arguments":
        return chunk({ tool_calls: [{ index: event.index, function: { arguments: event.delta } }] })
      case "bad-json":
        return `data: {"id":"${opening.id}","choices":[{"delta":\n\n`
      case "error":
        return dataFrame(toChatError(event.error).body)
    }
    return [
      chunk({}, toChatFinish(event.reason)),
      includeUsage ? dataFrame({ ...opening, choices: [], usage: toChatUsage(event.usage) }) : "",
      "data: [DONE]\n\n",
    ].join("")
  }
}

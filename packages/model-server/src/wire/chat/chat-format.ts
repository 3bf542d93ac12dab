import type { WireFormat } from "../wire-format.ts"
import { toChatCompletion } from "./chat-completion.ts"
import { toChatError } from "./chat-error.ts"
import { openChatStream } from "./chat-stream.ts"
import { validateChatRequest } from "./validate-chat-request.ts"

/** OpenAI Chat Completions. */
export const chatFormat: WireFormat = {
  path: "/chat/completions",
  apiKey: (headers) => headers.authorization?.match(/^Bearer (.+)$/i)?.[1],
  readRequest(body) {
    const { model, stream } = body as { model?: unknown; stream?: unknown }
    return { model: typeof model === "string" ? model : undefined, stream: stream === true }
  },
  validate: validateChatRequest,
  streamHeaders: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  openStream: openChatStream,
  toBody: (opening, answer) => JSON.stringify(toChatCompletion(opening, answer)),
  toErrorBody: toChatError,
}

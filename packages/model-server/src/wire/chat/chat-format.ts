import type { WireFormat } from "../wire-format.ts"
import { askOfBody, bearerKey } from "../request.ts"
import { eventStreamHeaders, commentFrame } from "../server-sent-events.ts"
import { toChatCompletion } from "./chat-completion.ts"
import { toChatError } from "./chat-error.ts"
import { openChatStream } from "./chat-stream.ts"
import { validateChatRequest } from "./validate-chat-request.ts"

/** OpenAI Chat Completions. */
export const chatFormat: WireFormat = {
  paths: ["/v1/chat/completions"],
  apiKey: bearerKey,
  readRequest: askOfBody,
  validate: ({ body }) => validateChatRequest(body),
  streamHeaders: eventStreamHeaders,
  keepAlive: commentFrame,
  repeatsFrames: true,
  openStream: openChatStream,
  toBody: (opening, answer) => JSON.stringify(toChatCompletion(opening, answer)),
  toError: toChatError,
}

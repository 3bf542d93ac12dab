import { askOfBody, bearerKey } from "../request.ts"
import { eventStreamHeaders, typedFrame } from "../server-sent-events.ts"
import type { WireFormat } from "../wire-format.ts"
import { toAnthropicError } from "./anthropic-error.ts"
import { toAnthropicMessage } from "./anthropic-message.ts"
import { openAnthropicStream } from "./anthropic-stream.ts"
import { validateAnthropicHeaders } from "./validate-anthropic-headers.ts"
import { validateAnthropicRequest } from "./validate-anthropic-request.ts"

/** Anthropic Messages. */
export const anthropicFormat: WireFormat = {
  paths: ["/v1/messages"],
  apiKey(request) {
    const key = request.headers["x-api-key"]
    return typeof key === "string" ? key : bearerKey(request)
  },
  readRequest: askOfBody,
  validate: ({ headers, body }) => validateAnthropicHeaders(headers) ?? validateAnthropicRequest(body),
  streamHeaders: eventStreamHeaders,
  keepAlive: typedFrame({ type: "ping" }),
  repeatsFrames: true,
  openStream: openAnthropicStream,
  toBody: (opening, answer) => JSON.stringify(toAnthropicMessage(opening, answer)),
  toError: toAnthropicError,
}

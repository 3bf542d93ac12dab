import { askOfBody, bearerKey } from "../request.ts"
import { eventStreamHeaders, commentFrame } from "../server-sent-events.ts"
import type { WireFormat } from "../wire-format.ts"
import { toWholeResponse } from "./response-object.ts"
import { toResponsesError } from "./responses-error.ts"
import { openResponsesStream } from "./responses-stream.ts"
import { validateResponsesRequest } from "./validate-responses-request.ts"

/** OpenAI Responses. */
export const responsesFormat: WireFormat = {
  paths: ["/v1/responses"],
  apiKey: bearerKey,
  readRequest: askOfBody,
  validate: ({ body }) => validateResponsesRequest(body),
  streamHeaders: eventStreamHeaders,
  keepAlive: commentFrame,
  repeatsFrames: false,
  openStream: openResponsesStream,
  toBody: (opening, answer) => JSON.stringify(toWholeResponse(opening, answer)),
  toError: toResponsesError,
}

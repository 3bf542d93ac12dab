import { matchPath, queryValue, toPath } from "../path.ts"
import { eventStreamHeaders, commentFrame } from "../server-sent-events.ts"
import type { WireFormat, WireHead } from "../wire-format.ts"
import { toGeminiError } from "./gemini-error.ts"
import { openGeminiStream, toWholeGemini } from "./gemini-answer.ts"
import { validateGeminiRequest } from "./validate-gemini-request.ts"

const wholePath = "/v1beta/models/{model}:generateContent"
const streamPath = "/v1beta/models/{model}:streamGenerateContent"

/** Gemini's generateContent. The path contains the model's name and determines if the answer is streamed. */
export const geminiFormat: WireFormat = {
  paths: [wholePath, streamPath],
  apiKey({ headers, target }) {
    const key = headers["x-goog-api-key"]
    return typeof key === "string" ? key : queryValue(target, "key")
  },
  readRequest: (request) => ({ model: modelOf(request), stream: isStream(request) }),
  validate: (request) => validateAlt(request) ?? validateGeminiRequest(request.body, modelOf(request)),
  streamHeaders: eventStreamHeaders,
  keepAlive: commentFrame,
  repeatsFrames: true,
  openStream: openGeminiStream,
  toBody: (opening, answer) => JSON.stringify(toWholeGemini(opening, answer)),
  toError: toGeminiError,
}

function modelOf({ target }: WireHead): string | undefined {
  const path = toPath(target)
  return (matchPath(wholePath, path) ?? matchPath(streamPath, path))?.model
}

function isStream({ target }: WireHead): boolean {
  return matchPath(streamPath, toPath(target)) !== undefined
}

function validateAlt(request: WireHead): string | undefined {
  if (!isStream(request) || queryValue(request.target, "alt") === "sse") return undefined
  return "alt: this server streams server-sent events only, add ?alt=sse to the path."
}

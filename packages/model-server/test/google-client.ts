import { createGoogle } from "@ai-sdk/google"
import type { ModelServer } from "../src/index.ts"

/** The vendor's model as its own client reaches it on the server. */
export function geminiModel(server: ModelServer, modelID = "gemini-3-scripted", apiKey = "key") {
  return createGoogle({ baseURL: `${server.origin}/v1beta`, apiKey })(modelID)
}

export function geminiBody(changes: object = {}) {
  return { contents: [{ role: "user", parts: [{ text: "Hello" }] }], ...changes }
}

/** Asks for a stream unless `method` says otherwise. */
export function postGemini(
  server: ModelServer,
  body: object = geminiBody(),
  method = "streamGenerateContent?alt=sse",
  init: RequestInit = {},
) {
  return fetch(`${server.origin}/v1beta/models/gemini-3-scripted:${method}`, {
    method: "POST",
    headers: { "x-goog-api-key": "key" },
    body: JSON.stringify(body),
    ...init,
  })
}

import { createAnthropic } from "@ai-sdk/anthropic"
import type { ModelServer } from "../src/index.ts"

/** The vendor's model as its own client reaches it on the server. */
export function anthropicModel(server: ModelServer, modelID = "claude-scripted", apiKey = "key") {
  return createAnthropic({ baseURL: server.url, apiKey })(modelID)
}

export function messagesBody(changes: object = {}) {
  return {
    model: "claude-scripted",
    max_tokens: 100,
    stream: true,
    messages: [{ role: "user", content: "Hello" }],
    ...changes,
  }
}

export function postMessages(server: ModelServer, body: object = messagesBody(), init: RequestInit = {}) {
  return fetch(`${server.url}/messages`, {
    method: "POST",
    headers: { "anthropic-version": "2023-06-01", "x-api-key": "key" },
    body: JSON.stringify(body),
    ...init,
  })
}

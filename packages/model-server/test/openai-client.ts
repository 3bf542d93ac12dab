import { createOpenAI } from "@ai-sdk/openai"
import type { ModelServer } from "../src/index.ts"

/** The vendor's model as its own client reaches it on the server. The name is that of a reasoning model. */
export function responsesModel(server: ModelServer, modelID = "gpt-5-scripted", apiKey = "key") {
  return createOpenAI({ baseURL: server.url, apiKey }).responses(modelID)
}

export function responsesBody(changes: object = {}) {
  return { model: "gpt-5-scripted", stream: true, input: "Hello", ...changes }
}

export function postResponses(server: ModelServer, body: object = responsesBody(), init: RequestInit = {}) {
  return fetch(`${server.url}/responses`, { method: "POST", body: JSON.stringify(body), ...init })
}

/** The vendor's model over Chat Completions. */
export function chatModel(server: ModelServer, modelID = "gpt-scripted", apiKey = "key") {
  return createOpenAI({ baseURL: server.url, apiKey }).chat(modelID)
}

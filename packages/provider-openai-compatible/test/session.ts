import type { RequestListener } from "node:http"
import type { ModelEvent, ModelRequest, Provider } from "@pawl/core/provider"
import { openAICompatible, type OpenAICompatibleOptions } from "../src/openai-compatible.ts"
import { type LocalServer, localServer } from "@pawl/provider-testkit/local-server"

export const never: AbortSignal = new AbortController().signal

export function request(partial: Partial<ModelRequest> = {}): ModelRequest {
  return {
    sessionID: "ses_1",
    system: ["You are a test."],
    messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    tools: [
      {
        name: "read",
        description: "Reads a file.",
        inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
    ],
    settings: {},
    headers: {},
    ...partial,
  }
}

export function acme(server: { url: string }, options: Partial<OpenAICompatibleOptions> = {}): Provider {
  return openAICompatible({ id: "acme", baseURL: server.url, ...options })
}

/** All events of an answer by the model `small`. */
export async function ask(provider: Provider, asked = request(), signal = never): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const model = await provider.model("small")
  for await (const event of model.stream(asked, signal)) events.push(event)
  return events
}

/** A server for answers that no well-behaved model server gives, with the base URL of its API. */
export async function rawServer(listener: RequestListener): Promise<LocalServer> {
  const server = await localServer(listener)
  return { ...server, url: `${server.url}v1` }
}

import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import type { ModelEvent, ModelRequest, Provider } from "@pawl/core"
import { openAICompatible, type OpenAICompatibleOptions } from "../src/openai-compatible.ts"

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

export interface RawServer extends AsyncDisposable {
  readonly url: string
}

/** A server for answers that no well-behaved model server gives. */
export async function rawServer(listener: RequestListener): Promise<RawServer> {
  const http = createServer(listener)
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

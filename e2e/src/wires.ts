import { createEngine, type Engine, type EngineOptions, type ModelRef } from "@pawl/core"
import type { Provider } from "@pawl/core/provider"
import type { ModelServer, RecordedRequest } from "@pawl/model-server"
import { anthropic } from "@pawl/provider-anthropic"
import { google } from "@pawl/provider-google"
import { openai } from "@pawl/provider-openai"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"

/** An API that pawl supports, with a model. */
export interface Wire {
  readonly name: string
  readonly model: ModelRef
  readonly open: (server: Pick<ModelServer, "url" | "origin">) => Provider
}

const apiKey = "key"

export const wires: readonly Wire[] = [
  {
    name: "openai-compatible",
    model: { providerID: "local", modelID: "scripted" },
    open: ({ url }) => openAICompatible({ id: "local", baseURL: url, models: [{ id: "scripted" }] }),
  },
  {
    name: "openai chat",
    model: { providerID: "openai", modelID: "gpt-4.1" },
    open: ({ url }) => openai({ api: "chat", baseURL: url, apiKey }),
  },
  {
    name: "openai responses",
    model: { providerID: "openai", modelID: "gpt-5.4" },
    open: ({ url }) => openai({ baseURL: url, apiKey }),
  },
  {
    name: "anthropic",
    model: { providerID: "anthropic", modelID: "claude-sonnet-4-5" },
    open: ({ url }) => anthropic({ baseURL: url, apiKey }),
  },
  {
    name: "google",
    model: { providerID: "google", modelID: "gemini-3.5-flash" },
    open: ({ origin }) => google({ baseURL: `${origin}/v1beta`, apiKey }),
  },
]

/** Creates an engine whose only provider is this wire's. Default storage: a new one in memory. */
export function engineOver(
  { model, open }: Wire,
  server: Pick<ModelServer, "url" | "origin">,
  options: Partial<EngineOptions> = {},
): Promise<Engine> {
  return createEngine({ storage: memoryStorage(), providers: [open(server)], model, ...options })
}

/** Returns the role of the first message of a request after the system prompt. */
export function firstRole({ body }: RecordedRequest): unknown {
  const { messages, input, contents } = body as Record<string, readonly { readonly role?: string }[] | undefined>
  const items = messages ?? input ?? contents ?? []
  const first = items.find(({ role }) => role !== "system" && role !== "developer")
  // Calls and reasoning of the Responses API have no role.
  return first && (first.role ?? "assistant")
}

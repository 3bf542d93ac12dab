import type { Provider } from "@pawl/core/provider"
import type { ModelServer } from "@pawl/model-server"
import { anthropic } from "@pawl/provider-anthropic"
import { google } from "@pawl/provider-google"
import { openai } from "@pawl/provider-openai"
import { openAICompatible } from "@pawl/provider-openai-compatible"

export type WireName = "chat" | "responses" | "anthropic" | "gemini"

/** A wire format and its provider. */
export interface Wire {
  readonly name: WireName
  readonly providerID: string
  readonly modelID: string
  open(address: Pick<ModelServer, "url" | "origin">): Provider
}

const apiKey = "key"

export const wires: readonly Wire[] = [
  {
    ...{ name: "chat", providerID: "local", modelID: "scripted" },
    open: ({ url }) => openAICompatible({ id: "local", baseURL: url, models: [{ id: "scripted" }] }),
  },
  {
    ...{ name: "responses", providerID: "openai", modelID: "gpt-5.4" },
    open: ({ url }) => openai({ baseURL: url, apiKey }),
  },
  {
    ...{ name: "anthropic", providerID: "anthropic", modelID: "claude-opus-5-5" },
    open: ({ url }) => anthropic({ baseURL: url, apiKey }),
  },
  {
    ...{ name: "gemini", providerID: "google", modelID: "gemini-3.5-flash" },
    open: ({ origin }) => google({ baseURL: `${origin}/v1beta`, apiKey }),
  },
]

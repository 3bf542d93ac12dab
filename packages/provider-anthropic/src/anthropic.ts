import type { Provider } from "@pawl/core"
import { type Connection, type VendorOptions, vendorProvider } from "@pawl/provider-http"
import { type CacheLifetime, markForCache } from "./cache-marks.ts"
import { anthropicModels, unknownModel } from "./catalogue.ts"
import { showThinking } from "./show-thinking.ts"

export interface AnthropicOptions extends VendorOptions {
  /** How long the prompt stays in Anthropic's cache after its last use; false asks for none. Default: `5m`. */
  promptCache?: CacheLifetime | false | undefined
}

/**
 * Anthropic's models over the Messages API. The key is `apiKey` or the variable `ANTHROPIC_API_KEY` of `environment`.
 * Nothing is loaded or sent before the first request.
 */
export function anthropic(options: AnthropicOptions = {}): Provider {
  const { promptCache = "5m" } = options
  return vendorProvider(
    {
      id: "anthropic",
      name: "Anthropic",
      baseURL: "https://api.anthropic.com/v1",
      baseURLHint: "Is this the base URL of Anthropic's Messages API? It ends in /v1.",
      keyVariables: ["ANTHROPIC_API_KEY"],
      catalogue: anthropicModels,
      unknownModel,
      optionsKey: "anthropic",
      load: loadSdk,
      adapt: (info) => (call) => {
        const shown = showThinking(info, call)
        return promptCache === false ? shown : markForCache(shown, promptCache)
      },
    },
    options,
  )
}

async function loadSdk({ baseURL, apiKey = "", headers, streamFetch }: Connection) {
  const { createAnthropic } = await import("@ai-sdk/anthropic")
  const sdk = createAnthropic({ baseURL, apiKey, headers: { ...headers }, fetch: streamFetch })
  return (modelID: string) => sdk.languageModel(modelID)
}

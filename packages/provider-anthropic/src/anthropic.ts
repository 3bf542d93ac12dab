import type { ModelInfo, Provider } from "@pawl/core/provider"
import { type Connection, type VendorOptions, vendorProvider, withoutBlank } from "@pawl/provider-http"
import { markForCache } from "./cache-marks.ts"
import { anthropicModels, keptForAnHour, unknownModel } from "./catalogue.ts"
import { showThinking } from "./show-thinking.ts"
import { withFitting } from "./thinking-fits.ts"

export type AnthropicOptions = VendorOptions

/**
 * Anthropic's models over the Messages API. The key is `apiKey` or the variable `ANTHROPIC_API_KEY` of `environment`.
 * Nothing is loaded or sent before the first request.
 */
export function anthropic(options: AnthropicOptions = {}): Provider {
  const { promptCache = "5m" } = options
  const kept = (info: ModelInfo) => (promptCache === "1h" ? keptForAnHour(info) : info)
  return vendorProvider(
    {
      id: "anthropic",
      name: "Anthropic",
      baseURL: "https://api.anthropic.com/v1",
      baseURLHint: "Is this the base URL of Anthropic's Messages API? It ends in /v1.",
      keyVariables: ["ANTHROPIC_API_KEY"],
      catalogue: anthropicModels.map((info) => kept(info)),
      unknownModel: (id) => kept(unknownModel(id)),
      optionsKey: "anthropic",
      load: loadSdk,
      adapt: (info) => (call) => {
        const shown = withFitting(showThinking(info, call))
        return promptCache === false ? shown : markForCache(shown, promptCache)
      },
    },
    options,
  )
}

async function loadSdk({ baseURL, apiKey = "", headers, streamFetch }: Connection) {
  const { createAnthropic } = await withoutBlank("ANTHROPIC_BASE_URL", () => import("@ai-sdk/anthropic"))
  const sdk = createAnthropic({ baseURL, apiKey, headers: { ...headers }, fetch: streamFetch })
  return (modelID: string) => sdk.languageModel(modelID)
}

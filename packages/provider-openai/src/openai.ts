import type { ModelInfo, Provider } from "@pawl/core/provider"
import { type Connection, type VendorOptions, vendorProvider, withoutBlank } from "@pawl/provider-http"
import { openaiModels, unknownModel } from "./catalogue.ts"
import { type API, toCall } from "./to-call.ts"

export interface OpenAIOptions extends VendorOptions {
  /**
   * The API: Responses, which keeps the reasoning between the steps of a turn, or Chat Completions, which most
   * compatible servers support. Default: `responses`.
   */
  api?: API | undefined
}

/**
 * OpenAI's models. The key is `apiKey` or the variable `OPENAI_API_KEY` of `environment`. Nothing is loaded or sent
 * before the first request, and nothing is stored at OpenAI: reasoning comes encrypted and goes back with the next request.
 */
export function openai(options: OpenAIOptions = {}): Provider {
  const { api = "responses", promptCache } = options
  return vendorProvider(
    {
      id: "openai",
      name: "OpenAI",
      baseURL: "https://api.openai.com/v1",
      baseURLHint: "Is this the base URL of OpenAI's API? It ends in /v1.",
      keyVariables: ["OPENAI_API_KEY"],
      catalogue: openaiModels,
      unknownModel,
      optionsKey: "openai",
      load: (connection) => loadSdk(connection, api),
      adapt: (info: ModelInfo) => (call, request) => {
        return toCall(call, { info, api, ...(promptCache === false ? {} : { cacheKey: request.sessionID }) })
      },
    },
    options,
  )
}

async function loadSdk({ baseURL, apiKey = "", headers, streamFetch }: Connection, api: API) {
  const { createOpenAI } = await withoutBlank("OPENAI_BASE_URL", () => import("@ai-sdk/openai"))
  const sdk = createOpenAI({ baseURL, apiKey, headers: { ...headers }, fetch: streamFetch })
  return (modelID: string) => sdk[api](modelID)
}

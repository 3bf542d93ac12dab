import type { Provider } from "@pawl/core/provider"
import { type Connection, type VendorOptions, vendorProvider } from "@pawl/provider-http"
import { geminiModels, unknownModel } from "./catalogue.ts"
import { createToCall } from "./to-call.ts"

export type GoogleOptions = VendorOptions

/**
 * Gemini models over Google's Gemini API. The key is `apiKey` or one of the variables `GEMINI_API_KEY`,
 * `GOOGLE_GENERATIVE_AI_API_KEY` and `GOOGLE_API_KEY` of `environment`. Nothing is loaded or sent before the first request.
 */
export function google(options: GoogleOptions = {}): Provider {
  return vendorProvider(
    {
      id: "google",
      name: "Google",
      baseURL: "https://generativelanguage.googleapis.com/v1beta",
      baseURLHint: "Is this the base URL of the Gemini API? It ends in /v1beta.",
      keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
      catalogue: geminiModels,
      unknownModel,
      optionsKey: "google",
      load: loadSdk,
      adapt: createToCall,
    },
    options,
  )
}

async function loadSdk({ baseURL, apiKey = "", headers, streamFetch }: Connection) {
  const { createGoogle } = await import("@ai-sdk/google")
  const sdk = createGoogle({ baseURL, apiKey, headers: { ...headers }, fetch: streamFetch })
  return (modelID: string) => sdk.languageModel(modelID)
}

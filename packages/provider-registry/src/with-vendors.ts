import type { Provider } from "@pawl/core/provider"
import { withVendor } from "@pawl/provider-ai-sdk/vendor"

/** Adds what adapters know about their vendors to models that play what an adapter gave. */
export function withVendors(provider: Provider): Provider {
  return { ...provider, model: async (modelID) => withVendor(await provider.model(modelID)) }
}

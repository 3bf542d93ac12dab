import type { Model, Provider } from "@pawl/core"

/** Adds what adapters know about refused files to the models of recorded errors. */
export function withRejections(provider: Provider): Provider {
  return {
    ...provider,
    model: async (modelID) => ({ ...(await provider.model(modelID)), findRejectedFiles }),
  }
}

const findRejectedFiles: NonNullable<Model["findRejectedFiles"]> = async (error, request) => {
  const adapter = await import("@pawl/provider-ai-sdk")
  return adapter.findRejectedFiles(error, request)
}

import type { ModelInfo, ProviderOptions } from "@pawl/core/provider"

/** Returns the valid part of the options from a plugin's loader. */
export function loaderOptions(given: unknown): ProviderOptions {
  if (typeof given !== "object" || given === null) return {}
  const { apiKey, baseURL, headers, fetch, models } = given as Readonly<Record<string, unknown>>
  return {
    ...(typeof apiKey === "string" ? { apiKey } : {}),
    ...(typeof baseURL === "string" ? { baseURL } : {}),
    ...(typeof headers === "object" && headers !== null ? { headers: textsOf(headers) } : {}),
    ...(typeof fetch === "function" ? { fetch: fetch as typeof globalThis.fetch } : {}),
    ...(Array.isArray(models) ? { models: loaderModels(models) } : {}),
  }
}

/** Checks the models of a plugin. Throws TypeError if they are not a list of models. */
export function loaderModels(given: unknown): readonly ModelInfo[] {
  if (Array.isArray(given) && given.every((model) => isModel(model))) return given
  throw new TypeError("it gave no list of models with their limits, costs and capabilities.")
}

function isModel(given: unknown): given is ModelInfo {
  if (typeof given !== "object" || given === null) return false
  const { id, limit, cost, capabilities } = given as Readonly<Record<string, unknown>>
  return (
    typeof id === "string" && [limit, cost, capabilities].every((field) => typeof field === "object" && field !== null)
  )
}

function textsOf(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  )
}

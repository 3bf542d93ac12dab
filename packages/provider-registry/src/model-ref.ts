import type { ModelRef } from "@pawl/core/provider"

/** The provider of a model that is reached by an address alone. */
export const CUSTOM = "custom"

/** Splits `provider/model` at its first slash: model ids may hold more of them. Undefined when it is not of that form. */
export function toModelRef(text: string): ModelRef | undefined {
  const slash = text.indexOf("/")
  if (slash <= 0 || slash === text.length - 1) return undefined
  return { providerID: text.slice(0, slash), modelID: text.slice(slash + 1) }
}

export function formatModelRef({ providerID, modelID }: ModelRef): string {
  return `${providerID}/${modelID}`
}

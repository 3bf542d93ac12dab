import type { ModelRef } from "../record/message.ts"

/** Vendor of a model, as far as it decides how text and media are counted. */
export type ProviderFamily = "anthropic" | "openai" | "google" | "other"

/**
 * Returns the family by the model's name, because resellers serve models of every family; else by the provider's name.
 */
export function providerFamily({ providerID, modelID }: ModelRef): ProviderFamily {
  const model = modelID.toLowerCase()
  if (model.includes("claude")) return "anthropic"
  if (model.includes("gemini")) return "google"
  if (/(?:^|[/.:])(?:gpt|chatgpt|codex|o\d)(?:$|[-.\d])/.test(model)) return "openai"
  const provider = providerID.toLowerCase()
  if (provider === "anthropic") return "anthropic"
  if (provider === "openai" || provider === "azure") return "openai"
  return provider === "google" || provider.startsWith("google-") ? "google" : "other"
}

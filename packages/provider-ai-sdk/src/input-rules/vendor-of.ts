import type { ModelRef } from "@pawl/core/provider"

/** Vendor of a model, as far as it decides how text and files are counted. */
export type Vendor = "anthropic" | "openai" | "google"

/**
 * Returns the vendor by the model's name, because resellers serve models of every vendor; else by the provider's name.
 * Undefined if both are unknown.
 */
export function vendorOf({ providerID, modelID }: ModelRef): Vendor | undefined {
  const model = modelID.toLowerCase()
  if (model.includes("claude")) return "anthropic"
  if (model.includes("gemini")) return "google"
  if (/(?:^|[/.:])(?:gpt|chatgpt|codex|o\d)(?:$|[-.\d])/.test(model)) return "openai"
  const provider = providerID.toLowerCase()
  if (provider === "anthropic") return "anthropic"
  if (provider === "openai" || provider === "azure") return "openai"
  return provider === "google" || provider.startsWith("google-") ? "google" : undefined
}

import { expect, it } from "vitest"
import { vendorOf } from "./vendor-of.ts"

it.each([
  ["anthropic", "claude-sonnet-4-5", "anthropic"],
  ["amazon-bedrock", "us.anthropic.claude-opus-4-1-v1:0", "anthropic"],
  ["openrouter", "openai/gpt-5-mini", "openai"],
  ["openai", "o3", "openai"],
  ["azure", "my-deployment", "openai"],
  ["openrouter", "google/gemini-2.5-pro", "google"],
  ["google-vertex", "text-model", "google"],
  ["local", "llama-3.3-70b", undefined],
  ["openai-compatible", "qwen3-coder", undefined],
  ["local", "foo3", undefined],
])("takes %s/%s for a model of %s", (providerID, modelID, vendor) => {
  expect(vendorOf({ providerID, modelID })).toBe(vendor)
})

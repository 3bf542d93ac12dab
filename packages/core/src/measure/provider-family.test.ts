import { expect, it } from "vitest"
import { providerFamily } from "./provider-family.ts"

it.each([
  ["anthropic", "claude-sonnet-4-5", "anthropic"],
  ["amazon-bedrock", "us.anthropic.claude-opus-4-1-v1:0", "anthropic"],
  ["openrouter", "openai/gpt-5-mini", "openai"],
  ["openai", "o3", "openai"],
  ["azure", "my-deployment", "openai"],
  ["openrouter", "google/gemini-2.5-pro", "google"],
  ["google-vertex", "text-model", "google"],
  ["local", "llama-3.3-70b", "other"],
  ["openai-compatible", "qwen3-coder", "other"],
  ["local", "foo3", "other"],
])("%s/%s counts as %s", (providerID, modelID, family) => {
  expect(providerFamily({ providerID, modelID })).toBe(family)
})

import { expect, it } from "vitest"
import { suggestion } from "./suggestion.ts"

const known = ["model", "small_model", "provider", "permission", "agent", "baseURL", "apiKey"]

it.each([
  ["modle", "model"],
  ["modell", "model"],
  ["smallModel", "small_model"],
  ["providers", "provider"],
  ["baseUrl", "baseURL"],
  ["api_key", "apiKey"],
  ["AGENT", "agent"],
])("takes %s for %s", (written, meant) => {
  expect(suggestion(written, known)).toBe(meant)
})

it.each(["theme", "mcp", "keybinds", ""])("has no idea what %j means", (written) => {
  expect(suggestion(written, known)).toBeUndefined()
})

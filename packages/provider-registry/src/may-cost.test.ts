import { expect, it } from "vitest"
import { mayCost } from "./may-cost.ts"

const cost = { input: 0, output: 0 }
const provider = {
  far: { options: { baseURL: "https://models.example.test/v1" }, models: { free: { cost } } },
  near: { options: { baseURL: "http://127.0.0.1:8080/v1" } },
}
const sources = { environment: {}, config: { provider }, layers: [] }

it.each([
  ["far", "large", true],
  ["far", "free", false],
  ["near", "large", false],
  ["ollama", "qwen3", false],
  ["openrouter", "a/b", true],
  ["replay", "hello", false],
])("says of %s/%s that it may cost something: %s", (providerID, modelID, expected) => {
  expect(mayCost({ providerID, modelID }, sources as never)).toBe(expected)
})

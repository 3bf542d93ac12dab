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
  ["agnet", "agent"],
  ["perm", "permission"],
])("takes %s for %s", (written, meant) => {
  expect(suggestion(written, known)).toBe(meant)
})

it.each(["theme", "mcp", "keybinds", ""])("has no idea what %j means", (written) => {
  expect(suggestion(written, known)).toBeUndefined()
})

it("allows two swapped letters in a word of three, and one letter of another word", () => {
  expect(suggestion("rnu", ["run", "list"])).toBe("run")
  expect(suggestion("rm", ["run", "-q"])).toBeUndefined()
  expect(suggestion("lsp", ["mcp", "run"])).toBeUndefined()
  expect(suggestion("ru", ["run"])).toBe("run")
})

it("returns the most similar name, and the shortest one of those that begin with the word", () => {
  expect(suggestion("modl", ["mode", "model"])).toBe("mode")
  expect(suggestion("mod", ["small_model", "model", "mode"])).toBe("mode")
})

const options = ["--model", "--format", "--file", "--title", "--session"]

it.each([
  ["--modle", "--model"],
  ["--fromat", "--format"],
  ["--Title", "--title"],
  ["--ses", "--session"],
  ["--fil", "--file"],
  ["--models", "--model"],
])("takes the option %s for %s", (written, meant) => {
  expect(suggestion(written, options)).toBe(meant)
})

it.each(["--zebra", "", "x"])("has no idea what the option %j means", (written) => {
  expect(suggestion(written, options)).toBeUndefined()
})

import { expect, it } from "vitest"
import { givenKey, unsendableKey } from "./key.ts"

it.each([
  ["in the options", { apiKey: " k\n", environment: { A_KEY: "a" } }, { text: "k" }],
  ["in the first variable", { environment: { A_KEY: "a\n", B_KEY: "b" } }, { text: "a", variable: "A_KEY" }],
  [
    "in the second, when the first is blank",
    { environment: { A_KEY: " ", B_KEY: "b" } },
    { text: "b", variable: "B_KEY" },
  ],
  [
    "in a variable, when that of the options is empty",
    { apiKey: "", environment: { B_KEY: "b" } },
    { text: "b", variable: "B_KEY" },
  ],
  ["nowhere", { environment: { C_KEY: "c" } }, undefined],
])("finds a key %s", (_where, options, key) => {
  expect(givenKey(options, ["A_KEY", "B_KEY"])).toEqual(key)
})

it.each([
  ["sk-123", undefined],
  ["\u201Csk-123\u201D", "U+201C"],
  ["sk\n123", "U+000A"],
  ["sk-👋", "U+1F44B"],
])("looks for what HTTP cannot carry in %j", (key, character) => {
  expect(unsendableKey(key)).toBe(character)
})

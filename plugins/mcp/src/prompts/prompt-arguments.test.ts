import { expect, it } from "vitest"
import { promptArguments } from "./prompt-arguments.ts"

const prompt = { name: "p", arguments: [{ name: "who", required: true }, { name: "how" }] }

it.each([
  ["Ann", { who: "Ann" }],
  ["Ann very warmly", { who: "Ann", how: "very warmly" }],
  ['"Ann Bee" warmly', { who: "Ann Bee", how: "warmly" }],
  ["how=warmly Ann", { who: "Ann", how: "warmly" }],
  ["how='so so' who=Ann", { who: "Ann", how: "so so" }],
  ["a=b", { who: "a=b" }],
  ["it's", { who: "it's" }],
])("%s", (written, values) => {
  expect(promptArguments(prompt, written)).toEqual(values)
})

it("names what is missing, and how to write it", () => {
  expect(() => promptArguments(prompt, "how=so")).toThrow(
    'The prompt "p" needs who. Arguments: <who> [how], or name=value.',
  )
})

it("passes over words for a prompt that takes none", () => {
  expect(promptArguments({ name: "p" }, "some words")).toEqual({})
})

import { describe, expect, it } from "vitest"
import { systemBlocks } from "./system-blocks.ts"

const blocks = ["one", "two"]
const whole = "one\ntwo"

describe("the blocks of a system prompt", () => {
  it.each([
    ["nothing was changed", [whole], blocks],
    ["texts were added", [whole, "a", "b"], [...blocks, "a\nb"]],
    ["something was put behind", [`${whole}\nmore`], ["one", "two\nmore"]],
    ["something was put in front", [`more\n${whole}`, "a"], ["more\none", "two", "a"]],
    ["a text was put before", ["first", whole, "last"], ["first", ...blocks, "last"]],
    ["all was replaced", ["other", "a"], ["other", "a"]],
    ["all was taken away", [], [""]],
  ])("are what they were, as far as they were left, where %s", (_what, changed, expected) => {
    expect(systemBlocks(blocks, whole, changed)).toEqual(expected)
  })
})

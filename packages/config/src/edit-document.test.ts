import { describe, expect, it } from "vitest"
import { editDocument } from "./edit-document.ts"

describe("editDocument", () => {
  it("keeps comments, indentation and what else is there", async () => {
    const text =
      '{\n    // mine\n    "model": "a/b", // the small one\n    "plugin": [\n        "a" // first\n    ]\n}\n'
    expect(await editDocument(text, ["plugin", 1], "b")).toBe(
      '{\n    // mine\n    "model": "a/b", // the small one\n    "plugin": [\n        "a",\n        "b" // first\n    ]\n}\n',
    )
    expect(await editDocument(text, ["plugin"], undefined)).toBe(
      '{\n    // mine\n    "model": "a/b" // the small one\n}\n',
    )
    expect(await editDocument(text, ["model"], undefined)).toBe(
      '{\n    // mine\n     // the small one\n    "plugin": [\n        "a" // first\n    ]\n}\n',
    )
  })

  it("takes items out of lists of any layout", async () => {
    expect(await editDocument('{ "plugin": ["a", "b", "c"] }', ["plugin", 1], undefined)).toBe(
      '{ "plugin": ["a",  "c"] }',
    )
    expect(await editDocument('{ "plugin": ["a", "b", ] }', ["plugin", 1], undefined)).toBe('{ "plugin": ["a",  ] }')
    expect(await editDocument('{ "plugin": ["a" /* , */, "b"] }', ["plugin", 1], undefined)).toBe(
      '{ "plugin": ["a" /* , */ ] }',
    )
    const lines = '{\n  "plugin": [\n    // one\n    "a",\n    ["b", {}] // two\n  ]\n}\n'
    expect(await editDocument(lines, ["plugin", 0], undefined)).toBe(
      '{\n  "plugin": [\n    // one\n    ["b", {}] // two\n  ]\n}\n',
    )
    expect(await editDocument("{}", ["plugin", 0], undefined)).toBe("{}")
  })

  it.each(["", "\n", "\uFEFF"])("begins an object where there is nothing: %j", async (text) => {
    expect(await editDocument(text, ["plugin"], ["a"])).toBe('{\n  "plugin": [\n    "a"\n  ]\n}\n')
  })

  it("says what is wrong with a text that is no JSON", async () => {
    await expect(editDocument('{ "plugin": [', ["plugin", 0], "a")).rejects.toThrow(TypeError)
  })
})

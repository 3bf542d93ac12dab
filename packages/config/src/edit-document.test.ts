import { describe, expect, it } from "vitest"
import { editDocument, mergeIntoDocument } from "./edit-document.ts"

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

describe("mergeIntoDocument", () => {
  const text = `{
  // the usual one
  "model": "a/b", // fast
  "permission": "allow",
  "provider": { "local": { "options": { "baseURL": "http://localhost:1/v1", /* mine */ "apiKey": "{env:KEY}" } } }
}
`

  it("merges objects key by key, replaces all else, and keeps comments", async () => {
    const part = { model: "a/c", provider: { local: { options: { baseURL: "http://localhost:2/v1" } }, far: {} } }
    const merged = await mergeIntoDocument(text, part)
    expect(merged).toContain('// the usual one\n  "model": "a/c", // fast\n  "permission": "allow",')
    expect(merged).toMatch(/"baseURL": "http:\/\/localhost:2\/v1", \/\* mine \*\/\s+"apiKey": "\{env:KEY\}"/)
    expect(merged).toContain('"far": {}')
    expect(await mergeIntoDocument('{ "instructions": ["a", "b"] }', { instructions: ["c"] })).toContain('"c"')
    expect(await mergeIntoDocument('{ "instructions": ["a", "b"] }', { instructions: ["c"] })).not.toContain('"a"')
  })

  it("returns the text itself if nothing differs", async () => {
    expect(await mergeIntoDocument(text, { model: "a/b", provider: { local: { options: {} } } })).toBe(text)
    expect(await mergeIntoDocument(text, { permission: { "*": "allow" } })).toBe(text)
  })

  it("keeps a single action as the rule that comes before new ones", async () => {
    const { permission } = JSON.parse(
      await mergeIntoDocument('{ "permission": "ask" }', { permission: { bash: "deny" } }),
    ) as { permission: object }
    expect(Object.entries(permission)).toEqual([
      ["*", "ask"],
      ["bash", "deny"],
    ])
  })

  it("puts an object in the place of another value, and writes special names as they are", async () => {
    const part = JSON.parse('{ "a": { "b": 1 }, "__proto__": { "c": 2 }, "toString": { "d": 3 } }') as object
    const merged = await mergeIntoDocument('{ "a": null }', { ...part, ...JSON.parse('{"x":{"__proto__":1}}') })
    expect(merged).toContain('"b": 1')
    expect(merged).toContain('"d": 3')
    expect(merged.match(/"__proto__": /g)).not.toBe(null)
    expect(({} as { c?: number }).c).toBe(undefined)
  })

  it("refuses a text that is not valid, and more changes than it makes at once", async () => {
    await expect(mergeIntoDocument("{ model: 1 }", { model: "a/b" })).rejects.toThrow(TypeError)
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`k${at}`, at]))
    await expect(mergeIntoDocument("{}", many)).rejects.toThrow(RangeError)
  })
})

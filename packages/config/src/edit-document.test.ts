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

function documentKeys(text: string): string[] {
  const { permission } = JSON.parse(text.replaceAll(/\/\/.*|\/\*.*?\*\//g, "")) as { permission: object }
  return Object.keys(permission)
}

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

  it.each([
    [{ "rm *": "deny" }, { "*": "allow", "rm *": "deny" }, ["*", "rm *"]],
    [{ "git *": "allow", "*": "deny" }, { "*": "deny", "git *": "allow" }, ["*", "git *"]],
    [{ "git *": "allow", "*": "deny" }, { "git *": "allow" }, ["*", "git *"]],
    [{ "*": "ask" }, { "ls *": "allow" }, ["*", "ls *"]],
  ])("puts the rules of a part last, in its order: %j and %j", async (there, bash, names) => {
    const before = JSON.stringify({ permission: { bash: there } }, undefined, 2)
    const merged = JSON.parse(await mergeIntoDocument(before, { permission: { bash } })) as {
      permission: { bash: object }
    }
    expect(merged.permission.bash).toEqual({ ...there, ...bash })
    expect(Object.keys(merged.permission.bash)).toEqual(names)
    expect(await mergeIntoDocument(before, { permission: { bash: there } })).toBe(before)
  })

  it("keeps the comments between rules if no rule moves", async () => {
    const rules =
      '{\n  "permission": {\n    // first\n    "*": "ask",\n    "bash": { "ls *": "allow" /* lists */ }\n  }\n}\n'
    const merged = await mergeIntoDocument(rules, { permission: { bash: { "cat *": "allow" }, edit: "deny" } })
    expect(merged).toContain('// first\n    "*": "ask",')
    expect(merged).toContain("/* lists */")
    expect(documentKeys(merged)).toEqual(["*", "bash", "edit"])
  })

  it("writes a text of one line in lines, the same after each change", async () => {
    const first = await mergeIntoDocument('{"model":"a/b","agent":{"build":{"steps":1}}}', { model: "a/c" })
    expect(first).toBe('{\n  "model": "a/c",\n  "agent": {\n    "build": {\n      "steps": 1\n    }\n  }\n}')
    const second = await mergeIntoDocument(first, { agent: { build: { steps: 2 } } })
    expect(second).toBe(first.replace('"steps": 1', '"steps": 2'))
  })

  it("lets other work go on between its edits", async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const keys = Array.from({ length: 100 }, (_, at) => `key${at}`)
    const there = JSON.stringify(Object.fromEntries(keys.map((key) => [key, "x".repeat(500)])), undefined, 2)
    await mergeIntoDocument(there, Object.fromEntries(keys.map((key) => [key, 1])))
    clearInterval(counting)
    expect(turns).toBeGreaterThan(10)
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
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, at]))
    await expect(mergeIntoDocument("{}", many)).rejects.toThrow(RangeError)
  })
})

import { describe, expect, it } from "vitest"
import { parseDocument } from "./document.ts"

describe("parseDocument", () => {
  it("reads comments, trailing commas and any script", () => {
    const { value, findings } = parseDocument(`// head
      { /* here */ "名前": "żółć 🪵", "list": [1, 2,], "none": null, }`)
    expect(findings).toEqual([])
    expect(value).toEqual({ 名前: "żółć 🪵", list: [1, 2], none: null })
  })

  it.each(["", "  \n\t", "// nothing yet\n", "/* nothing */"])("takes %j for an empty configuration", (text) => {
    const { value, findings } = parseDocument(text)
    expect(value).toEqual({})
    expect(findings).toEqual([])
  })

  it.each([
    { text: "{", line: 1, column: 2, message: 'Expected "}", found the end of the file.' },
    { text: '{ "a": [1, 2\n', line: 2, column: 1, message: 'Expected "]", found the end of the file.' },
    { text: '{ "a": 1\n  "b": 2 }', line: 2, column: 3, message: 'Expected "," before "b".' },
    { text: '{ "a" 1 }', line: 1, column: 7, message: 'Expected ":" after the key, found "1".' },
    { text: '{ "a": }', line: 1, column: 8, message: 'Expected a value, found "}".' },
    { text: '{ "a": 1,, }', line: 1, column: 10, message: 'Expected a key in double quotes, found ",".' },
    {
      text: "{\r\n  a: 1 }",
      line: 2,
      column: 3,
      message: 'Unexpected "a". Expected a value; keys and strings stand in double quotes.',
    },
    {
      text: '{ "a": treu }',
      line: 1,
      column: 8,
      message: 'Unexpected "treu". Expected a value; keys and strings stand in double quotes.',
    },
    {
      text: "{ 'a': 1 }",
      line: 1,
      column: 3,
      message: `Unexpected "'a'". Expected a value; keys and strings stand in double quotes.`,
    },
    {
      text: '{ "a": "b\n}',
      line: 1,
      column: 8,
      message: "The string is not closed. Expected a double quote before the end of the line.",
    },
    {
      text: '{ "a": "\\q" }',
      line: 1,
      column: 8,
      message: 'Expected one of "\\/bfnrtu after the backslash; a backslash itself is written twice.',
    },
    { text: '{ "a": "\\u12" }', line: 1, column: 8, message: 'Expected four hexadecimal digits after "\\u".' },
    {
      text: '{ "a": "\t" }',
      line: 1,
      column: 8,
      message: "The string holds a control character. Write it as an escape, such as \\t.",
    },
    { text: '{ "a": 1e }', line: 1, column: 8, message: 'Expected a number, found "1e".' },
    { text: "{} {}", line: 1, column: 4, message: 'Expected the end of the file, found "{".' },
    { text: "{}\n/* open", line: 2, column: 1, message: 'The comment is not closed. Expected "*/".' },
    { text: '{ "🪵🪵": 1 "b": 2 }', line: 1, column: 11, message: 'Expected "," before "b".' },
    {
      text: "[".repeat(30_000),
      line: 1,
      column: 101,
      message: "More than 100 levels of objects and arrays are not read.",
    },
  ])("places the first slip in $text", ({ text, line, column, message }) => {
    const { findings, locate } = parseDocument(text)
    expect(findings).toEqual([{ position: { line, column }, message }])
    expect(locate).toBeUndefined()
  })

  it("reads a text with a byte order mark as without it", () => {
    expect(parseDocument('\uFEFF{ "a": 1 }')).toMatchObject({ value: { a: 1 }, findings: [] })
    expect(parseDocument("\uFEFF{ a").findings).toEqual(parseDocument("{ a").findings)
  })

  it("does not count brackets in strings and comments as levels", () => {
    const text = JSON.stringify({ a: "[".repeat(500) })
    expect(parseDocument(`${text} // ${"{".repeat(500)}`).findings).toEqual([])
  })

  it("reports each repetition of a key and keeps the first value", () => {
    const { value, findings } = parseDocument(
      '{ "model": "a/b",\n  "agent": { "x": {},\n "x": {} },\n  "model": "c/d" }',
    )
    expect(value).toEqual({ model: "a/b", agent: { x: {} } })
    expect(findings).toEqual([
      {
        message: "Duplicate key agent.x: it is already on line 2. Remove one.",
        path: ["agent", "x"],
        position: { line: 3, column: 2 },
      },
      {
        message: "Duplicate key model: it is already on line 1. Remove one.",
        path: ["model"],
        position: { line: 4, column: 3 },
      },
    ])
  })

  it("keeps __proto__ a plain property", () => {
    const { value } = parseDocument('{ "__proto__": { "polluted": true } }')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value as object)).toEqual(["__proto__"])
  })

  it("locates each of very many keys", () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}`)
    const { locate } = parseDocument(`{${keys.map((key) => `"🪵${key}": "🪵",\n`).join("")}}`)
    const places = keys.map((key) => locate?.([`🪵${key}`], "value"))
    expect(places[0]).toEqual({ line: 1, column: 9 })
    expect(places.at(-1)).toEqual({ line: 30_000, column: 12 })

    const line = `{${keys.map((key) => `"${key}":"🪵"`).join(",")}}`
    const { locate: inLine } = parseDocument(line)
    const column = Array.from(line.slice(0, line.lastIndexOf('"k'))).length + 1
    expect(keys.map((key) => inLine?.([key], "key")).at(-1)).toEqual({ line: 1, column })
  })

  it("locates keys, values, items and the object that lacks a key", () => {
    const { locate } = parseDocument('{\n  "ä": { "b": [10,\r\n 20] } }')
    expect(locate?.(["ä"], "key")).toEqual({ line: 2, column: 3 })
    expect(locate?.(["ä"], "value")).toEqual({ line: 2, column: 8 })
    expect(locate?.(["ä", "b", 1], "value")).toEqual({ line: 3, column: 2 })
    expect(locate?.(["ä", "none", "deeper"], "value")).toEqual({ line: 2, column: 8 })
    expect(locate?.([], "value")).toEqual({ line: 1, column: 1 })
  })
})

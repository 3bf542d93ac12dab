import { describe, expect, it } from "vitest"
import { readFrontMatter, splitFrontMatter, withQuotedValues } from "./front-matter.ts"

describe("a file", () => {
  it.each<[string, { yaml: string | undefined; body: string } | undefined]>([
    ["Only text.\n", { yaml: undefined, body: "Only text." }],
    ["", { yaml: undefined, body: "" }],
    ["---\na: 1\n---\n\n Text.\n---\nMore.\n", { yaml: "a: 1\n", body: "Text.\n---\nMore." }],
    ["---\n---\nText.", { yaml: "", body: "Text." }],
    ["---\r\na: 1\r\n---\r\nOne\r\nTwo", { yaml: "a: 1\n", body: "One\nTwo" }],
    ["\uFEFF---  \na: 1\n---\t\nText.", { yaml: "a: 1\n", body: "Text." }],
    ["----\na\n---\n", { yaml: undefined, body: "----\na\n---" }],
    ["\n---\na: 1\n---\n", { yaml: undefined, body: "---\na: 1\n---" }],
    ["---\na: 1\n", undefined],
    ["---", undefined],
    ["---\na: 1\n --- \n----\n--- x\n", undefined],
  ])("%j is %j", (text, parts) => {
    expect(splitFrontMatter(text)).toEqual(parts)
  })
})

describe("front matter", () => {
  it("is values with places in the file", async () => {
    const { value, findings, locate } = await readFrontMatter(
      'name: a\n"on": yes\n2024: 1\npermission:\n  edit: deny\n  bash:\n    "git *": ask # often\nlist: [1, "🪵", b]\n',
    )
    expect(findings).toEqual([])
    expect(value).toEqual({
      ...{ name: "a", on: "yes", 2024: 1 },
      permission: { edit: "deny", bash: { "git *": "ask" } },
      list: [1, "🪵", "b"],
    })
    expect(locate?.(["permission", "bash", "git *"], "key")).toEqual({ line: 8, column: 5 })
    expect(locate?.(["permission", "bash", "git *"], "value")).toEqual({ line: 8, column: 14 })
    expect(locate?.(["list", 2], "value")).toEqual({ line: 9, column: 16 })
    expect(locate?.(["permission", "none"], "value")).toEqual({ line: 6, column: 3 })
    expect(locate?.(["none"], "key")).toEqual({ line: 2, column: 1 })
  })

  it.each(["", "\n", "# later\n", "~"])("that says nothing is empty: %j", async (yaml) => {
    expect(await readFrontMatter(yaml)).toMatchObject({ value: {}, findings: [] })
  })

  it.each([
    ["description: Use when: it rains\nmodel: a/b:c", { description: "Use when: it rains", model: "a/b:c" }],
    ["description: *fast* and `good`", { description: "*fast* and `good`" }],
    ["description: @ann says: no\nsteps: 3", { description: "@ann says: no", steps: 3 }],
    [String.raw`description: Say: "a\nb" 'c'`, { description: String.raw`Say: "a\nb" 'c'` }],
    ["description: ends with:\nhidden: true", { description: "ends with:", hidden: true }],
    ["a: !important", { a: "!important" }],
  ])("takes for text what looks like it: %j", async (yaml, value) => {
    expect(await readFrontMatter(yaml)).toMatchObject({ value, findings: [] })
  })

  it("leaves alone what is in quotes, in brackets or on lines of its own", () => {
    for (const line of [
      'a: "b: c"',
      "a: 'b: c'",
      "a: [b, {c: d}]",
      "a: |",
      "a: > # x",
      "  a: b: c",
      "- a: b: c",
      "a: b",
    ]) {
      expect(withQuotedValues(line)).toBe(line)
    }
  })

  it.each([
    { yaml: "a: 1\na: 2", line: 3, column: 1, message: "The key stands here twice. Remove one." },
    { yaml: "a:\n\tb: 1", line: 3, column: 1, message: "Tabs cannot be used for indentation. Use spaces." },
    { yaml: "a:\n  b: c: d", line: 3, column: 6, message: "Put a value with special characters in quotes." },
    { yaml: "- a\n- b", line: 2, column: 1, message: 'The front matter must be lines of "key: value".' },
    { yaml: "just words", line: 2, column: 1, message: 'The front matter must be lines of "key: value".' },
    { yaml: "a: 'open", line: 2, column: 9, message: "not valid YAML: Missing closing 'quote." },
    { yaml: "a:\n  *b: c", line: 3, column: 5, message: "Put a value with special characters in quotes." },
    { yaml: "[a, b]: c", line: 2, column: 1, message: "A key must be a word." },
    { yaml: "? {a: b}\n: c", line: 2, column: 3, message: "A key must be a word." },
    { yaml: "a:\n  - !!js/function 'x'", line: 3, column: 5, message: 'Tags ("!name") are not read.' },
    { yaml: "a: &x [1]\nb: [*x]", line: 3, column: 5, message: 'Aliases ("*name") are not read.' },
  ])("is not read where it is $yaml", async ({ yaml, line, column, message }) => {
    const { findings } = await readFrontMatter(yaml)
    expect(findings).toEqual([{ message: expect.stringContaining(message) as string, position: { line, column } }])
  })

  it.each([
    ["aliases of aliases", `a: &a [x,x,x,x,x,x,x,x]\n${doubling()}`],
    ["an alias of itself", "a: &a [*a]"],
    ["brackets", `a: ${"[".repeat(16_000)}`],
    ["braces", "{a: ".repeat(4000)],
    ["dashes", "- ".repeat(8000)],
    ["question marks", "? ".repeat(8000)],
    ["levels", Array.from({ length: 30 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
    ["commas", `a: [${",".repeat(16_000)}]`],
    ["more text than anybody writes", `a: ${"x".repeat(20_000)}`],
  ])("of %s is refused", async (_, yaml) => {
    const { value, findings } = await readFrontMatter(yaml)
    expect(value).toEqual({})
    expect(findings).toHaveLength(1)
  })

  it("makes no objects of another kind", async () => {
    const { value } = await readFrontMatter("__proto__: {polluted: true}\n<<: {merged: true}\nconstructor: x")
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value as object)).toEqual(["__proto__", "<<", "constructor"])
    expect((value as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

function doubling(): string {
  return ["b", "c", "d", "e", "f", "g", "h"]
    .map((name, index) => `${name}: &${name} [${`*${"abcdefgh"[index]},`.repeat(8)}]`)
    .join("\n")
}

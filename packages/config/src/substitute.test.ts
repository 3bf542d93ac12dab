import { describe, expect, it } from "vitest"
import { fileTree } from "../test/file-tree.ts"
import { substitute } from "./substitute.ts"

describe("substitute", () => {
  const context = { env: { KEY: "secret", EMPTY: "" }, home: "/home/ada", base: "/nowhere" }

  it.each([
    ["{env:KEY}", "secret"],
    ["Bearer {env:KEY}!", "Bearer secret!"],
    ["{env:KEY}{env:KEY}", "secretsecret"],
    ["{env: KEY }", "secret"],
    ["[{env:UNSET}{env:EMPTY}]", "[]"],
    ["{env:KEY", "{env:KEY"],
    ["{ENV:KEY}", "{ENV:KEY}"],
    ["{other:KEY}", "{other:KEY}"],
  ])("turns %s into %s", async (text, expected) => {
    expect(await substitute(text, context)).toEqual({ value: expected, failures: [] })
  })

  it("reaches every value and no key", async () => {
    const value = { "{env:KEY}": ["{env:KEY}", { a: "{env:KEY}" }, 1, null, true] }
    expect((await substitute(value, context)).value).toEqual({
      "{env:KEY}": ["secret", { a: "secret" }, 1, null, true],
    })
  })

  it("does not read what it has put in, neither as a reference nor as JSON", async () => {
    const env = { KEY: '{env:OTHER}", "x": "$&', OTHER: "no" }
    expect((await substitute("{env:KEY}", { ...context, env })).value).toBe('{env:OTHER}", "x": "$&')
  })

  it("reads files, trimmed, beside the base, below the home and by absolute path", async () => {
    await using tree = await fileTree({ "base/key.txt": "\n beside \n", "home/key.txt": "home\n" })
    const places = { env: {}, base: tree.at("base"), home: tree.at("home") }
    const value = ["{file:key.txt}", "{file:./key.txt}", "{file:~/key.txt}", `<{file:${tree.at("home/key.txt")}}>`]
    expect(await substitute(value, places)).toEqual({ value: ["beside", "beside", "home", "<home>"], failures: [] })
  })

  it("reports each file that cannot be read, with the place of its value", async () => {
    await using tree = await fileTree({ "directory/x": "" })
    const places = { env: {}, base: tree.root, home: undefined }
    const { failures } = await substitute({ a: ["{file:missing}"], b: "{file:directory}", c: "{file:~/key}" }, places)
    expect(failures.toSorted((a, b) => a.path.join().localeCompare(b.path.join()))).toEqual([
      { path: ["a", 0], message: `{file:missing}: the file ${tree.at("missing")} does not exist.` },
      { path: ["b"], message: `{file:directory}: the file ${tree.at("directory")} is a directory, not a file.` },
      { path: ["c"], message: "{file:~/key} needs a home directory. Set HOME or write the whole path." },
    ])
  })
})

import { describe, expect, it } from "vitest"
import { configValues, valuesBelow } from "./config-values.ts"

const positionOf = (path: readonly (string | number)[]) => ({ line: path.length, column: Number(path.at(-1)) || 0 })
const layer = (source: string, config: object) => ({ source, config, isProject: false, positionOf })

describe("configValues", () => {
  it("says of each value which source has the last word, and where", () => {
    const values = configValues([
      layer("/home/pawl.jsonc", { model: "a/b", provider: { local: { options: { baseURL: "x" } } } }),
      layer("/project/pawl.jsonc", { model: "c/d" }),
    ])

    expect(values.map(({ key, value, source, line }) => [key, value, source, line])).toEqual([
      ["provider.local.options.baseURL", "x", "/home/pawl.jsonc", 4],
      ["model", "c/d", "/project/pawl.jsonc", 1],
    ])
  })

  it("finds an item of an added list where its own source has it", () => {
    const values = configValues([
      layer("/home/pawl.jsonc", { instructions: ["a.md", "b.md"] }),
      layer("/project/pawl.jsonc", { instructions: ["b.md", "c.md"] }),
    ])

    expect(values.map(({ key, value, source, column }) => [key, value, source, column])).toEqual([
      ["instructions[0]", "a.md", "/home/pawl.jsonc", 0],
      ["instructions[1]", "b.md", "/home/pawl.jsonc", 1],
      ["instructions[2]", "c.md", "/project/pawl.jsonc", 1],
    ])
  })

  it("keeps what is empty, and has nothing of nothing", () => {
    expect(configValues([layer("f", { plugin: [], agent: {} })]).map(({ key, value }) => [key, value])).toEqual([
      ["plugin", []],
      ["agent", {}],
    ])
    expect(configValues([])).toEqual([])
  })
})

it("takes a key whole: a longer name that begins alike is another one", () => {
  const values = configValues([layer("f", { mcp: { a: { enabled: true }, ab: { enabled: false } } })])

  expect(valuesBelow(values, "mcp.a").map(({ key }) => key)).toEqual(["mcp.a.enabled"])
  expect(valuesBelow(values, "mcp")).toHaveLength(2)
  expect(valuesBelow(values, "m")).toEqual([])
})

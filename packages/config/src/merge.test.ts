import { describe, expect, it } from "vitest"
import { mergeLayers } from "./merge.ts"
import type { Config, PermissionConfig } from "./schema.ts"

function merged(...configs: Config[]) {
  return mergeLayers(configs.map((config, index) => ({ source: `layer ${index + 1}`, config })))
}

describe("mergeLayers", () => {
  it("merges objects deeply and lets the higher layer win", () => {
    const { config } = merged(
      { model: "a/b", provider: { local: { name: "Local", options: { baseURL: "x", headers: { a: "1", b: "1" } } } } },
      { model: "c/d", provider: { local: { options: { headers: { b: "2" } } }, other: {} } },
    )
    expect(config).toEqual({
      model: "c/d",
      provider: { local: { name: "Local", options: { baseURL: "x", headers: { a: "1", b: "2" } } }, other: {} },
    })
  })

  it("replaces arrays, but collects instructions, the lower ones first and none twice", () => {
    const { config } = merged(
      { instructions: ["A.md", "B.md"], skills: { paths: ["a"] } },
      { instructions: ["C.md", "A.md"], skills: { paths: ["b"] } },
      { instructions: [] },
    )
    expect(config).toEqual({ instructions: ["A.md", "B.md", "C.md"], skills: { paths: ["b"] } })
  })

  it("collects plugins, of two of one package the higher, and paths of each layer by themselves", () => {
    const { config } = merged(
      { plugin: ["a@1", "@acme/b", "./x.ts"] },
      { plugin: [["a@2", { y: [1] }], "./x.ts", "./x.ts"] },
      { plugin: [] },
      { plugin: ["c", "@acme/b@^3"] },
    )
    expect(config.plugin).toEqual(["./x.ts", ["a@2", { y: [1] }], "./x.ts", "c", "@acme/b@^3"])
  })

  it("replaces what is one value in one layer and an object in another, but for permissions", () => {
    const formatter = { prettier: { command: ["prettier", "$FILE"] } }
    expect(merged({ formatter }, { formatter: false }).config).toEqual({ formatter: false })
    expect(merged({ formatter: false }, { formatter }).config).toEqual({ formatter })
    expect(merged({ sandbox: { type: "bwrap", network: true } }, { sandbox: "bwrap" }).config).toEqual({
      sandbox: "bwrap",
    })
    expect(merged({ agent: { permission: { steps: 1 } } }, { agent: { permission: { steps: 2 } } }).config).toEqual({
      agent: { permission: { steps: 2 } },
    })
  })

  it("puts the keys of the higher layer last, where permission rules decide", () => {
    const { config } = merged(
      { permission: { "*": "ask", bash: { "*": "ask", "git *": "allow" }, edit: "allow" } },
      { permission: { "*": "deny", bash: { "*": "deny" } } },
    )
    expect(JSON.stringify(config.permission)).toBe('{"edit":"allow","*":"deny","bash":{"git *":"allow","*":"deny"}}')
  })

  it.each<{ low: PermissionConfig; high: PermissionConfig; result: PermissionConfig }>([
    { low: "deny", high: { bash: "allow" }, result: { "*": "deny", bash: "allow" } },
    { low: { bash: "deny" }, high: "allow", result: { bash: "deny", "*": "allow" } },
    {
      low: { bash: "deny" },
      high: { bash: { "git *": "allow" } },
      result: { bash: { "*": "deny", "git *": "allow" } },
    },
    { low: { "*": { "a*": "deny" } }, high: "ask", result: { "*": { "a*": "deny", "*": "ask" } } },
    { low: "ask", high: "allow", result: "allow" },
  ])("takes a single action for the rule of everything: $low and $high", ({ low, high, result }) => {
    const expected = JSON.stringify(result)
    expect(JSON.stringify(merged({ permission: low }, { permission: high }).config.permission)).toBe(expected)
  })

  it("knows the source of each value", () => {
    const { origins } = merged(
      { model: "a/b", small_model: "a/s", instructions: ["A.md"], permission: "ask", plugin: ["x", "y"] },
      { model: "c/d", instructions: ["B.md", "A.md"], permission: { bash: { "git *": "allow" } }, agent: { a: {} } },
      { plugin: [["z", { level: 1 }]], agent: { b: { steps: 2 } } },
    )
    expect(Object.fromEntries(origins)).toEqual({
      model: "layer 2",
      small_model: "layer 1",
      "instructions[0]": "layer 1",
      "instructions[1]": "layer 2",
      'permission["*"]': "layer 1",
      'permission.bash["git *"]': "layer 2",
      "plugin[0]": "layer 1",
      "plugin[1]": "layer 1",
      "plugin[2][0]": "layer 3",
      "plugin[2][1].level": "layer 3",
      "agent.a": "layer 2",
      "agent.b.steps": "layer 3",
    })
  })

  it("shares nothing with the layers", () => {
    const layer: Config = { instructions: ["A.md"], agent: { a: { steps: 1 } } }
    const { config } = merged(layer)
    config.instructions?.push("B.md")
    delete config.agent?.["a"]
    expect(layer).toEqual({ instructions: ["A.md"], agent: { a: { steps: 1 } } })
  })
})

import { describe, expect, it } from "vitest"
import { configChanges } from "./config-changes.ts"

describe("configChanges", () => {
  it("takes only what differs: what stands beside it stays the word of who said it", async () => {
    const before = {
      permission: { bash: "ask", edit: { "a*": "allow", "b*": "deny" } },
      agent: { a: { steps: 2, prompt: "A" } },
    } as const
    const after = {
      permission: { bash: "deny", edit: { "a*": "allow", "b*": "deny", "c*": "ask" } },
      agent: { a: { steps: 3, prompt: "A" }, b: { description: "B" } },
    } as const

    const { layer, problems } = await configChanges("own", before, after)

    expect(problems).toEqual([])
    expect(layer).toEqual({
      ...{ source: "plugins", plugin: "plugin own", isProject: false },
      config: {
        permission: { bash: "deny", edit: { "c*": "ask" } },
        agent: { a: { steps: 3 }, b: { description: "B" } },
      },
    })
  })

  it("is nothing where nothing changed, and for plugins that plugins name", async () => {
    expect(await configChanges("own", { model: "a/b" }, { model: "a/b" })).toEqual({ problems: [] })
    expect(await configChanges("own", { plugin: ["a"] }, { plugin: ["a", "b"] })).toEqual({ problems: [] })
  })

  it("disables an agent that was taken out, and leaves other keys that were", async () => {
    const { layer } = await configChanges("own", { agent: { a: {}, b: {} }, title: true }, { agent: { b: {} } })
    expect(layer?.config).toEqual({ agent: { a: { disable: true } } })
  })

  it("disables one that is called like something every object has", async () => {
    const { layer } = await configChanges("own", { agent: { toString: { prompt: "A" } } }, { agent: {} })
    expect(layer?.config).toEqual({ agent: { toString: { disable: true } } })
  })

  it("leaves out what no configuration may say, one agent or key at a time", async () => {
    const after = { agent: { bad: { steps: "x" }, good: { steps: 1 } }, colour: "red", title: false }
    const { layer, problems } = await configChanges("own", {}, after as never)
    expect(layer?.config).toEqual({ agent: { good: { steps: 1 } }, title: false })
    expect(problems).toEqual([
      expect.stringMatching(/^What plugin own made .* agent\.bad\.steps must be a whole number/),
      expect.stringContaining('Unknown key "colour"'),
    ])
  })

  it("takes one action for everything for a table with one rule", async () => {
    const { layer } = await configChanges("own", { permission: "ask" }, { permission: { "*": "ask", bash: "deny" } })
    expect(layer?.config).toEqual({ permission: { bash: "deny" } })
  })
})

import { describe, expect, it } from "vitest"
import { renewAgent, renewConfig } from "./deprecated.ts"

describe("switches for tools", () => {
  it.each([
    [
      { bash: false, write: false },
      { bash: "deny", edit: "deny" },
    ],
    [{ write: true, bash: true }, {}],
    [{ write: false, edit: true }, { edit: "deny" }],
    [
      { "*": false, read: true, write: true, "git_*": true },
      { "*": "deny", read: "allow", edit: "allow", "git_*": "allow" },
    ],
    [
      { "*": false, read: false },
      { "*": "deny", read: "deny" },
    ],
    [{ constructor: false }, { constructor: "deny" }],
  ])("%j are permissions", (tools, permission) => {
    expect(renewConfig({ tools }).config).toEqual({ permission })
    expect(Object.keys(renewConfig({ tools }).config.permission ?? {})).toEqual(Object.keys(permission))
  })

  it("come before what permissions say, and after what they first say of all", () => {
    const permission = { "*": "ask", bash: "allow", "git_*": { log: "allow" } } as const
    const { config, writtenAt } = renewConfig({ tools: { write: false, bash: false, "git_*": false }, permission })
    expect(Object.entries(config.permission ?? {})).toEqual([
      ["*", "ask"],
      ["edit", "deny"],
      ["bash", "allow"],
      ["git_*", { "*": "deny", log: "allow" }],
    ])
    expect(writtenAt(["permission", "edit"])).toEqual(["tools", "write"])
    expect(writtenAt(["permission", "bash"])).toEqual(["permission", "bash"])
    expect(writtenAt(["permission", "git_*", "*"])).toEqual(["tools", "git_*"])
    expect(writtenAt(["permission", "git_*", "log"])).toEqual(["permission", "git_*", "log"])

    const last = renewConfig({ tools: { "*": false, write: false }, permission: { read: "allow" } })
    expect(Object.keys(last.config.permission ?? {})).toEqual(["*", "edit", "read"])

    const all = renewConfig({ tools: { write: false }, permission: "ask" })
    expect(Object.entries(all.config.permission ?? {})).toEqual([
      ["*", "ask"],
      ["edit", "deny"],
    ])
    expect(all.writtenAt(["permission", "*"])).toEqual(["permission"])
  })
})

describe("an agent", () => {
  it("has its steps and delegates in one form", () => {
    expect(renewAgent({ maxSteps: 3, delegates: [{ permission: "bash" }] }).agent).toEqual({
      ...{ steps: 3, delegates: [{ permission: "bash", pattern: "*" }] },
    })
    const { agent, writtenAt } = renewAgent({ maxSteps: 3, steps: 5, delegates: {} })
    expect(agent).toEqual({ steps: 5, delegates: [] })
    expect(writtenAt(["steps"])).toEqual(["steps"])
    expect(renewAgent({ maxSteps: 3 }).writtenAt(["steps"])).toEqual(["maxSteps"])
  })

  it("of both maps is one, the newer word counting", () => {
    const { config, writtenAt } = renewConfig({
      mode: { a: { steps: 1, prompt: "Old." }, b: {} },
      agent: { a: { prompt: "New." } },
    })
    expect(config).toEqual({ agent: { a: { mode: "primary", steps: 1, prompt: "New." }, b: { mode: "primary" } } })
    expect(writtenAt(["agent", "a", "steps"])).toEqual(["mode", "a", "steps"])
    expect(writtenAt(["agent", "a", "prompt"])).toEqual(["agent", "a", "prompt"])
    expect(writtenAt(["agent", "c"])).toEqual(["agent", "c"])
  })
})

import { builtinAgents } from "@pawl/core"
import { describe, expect, it } from "vitest"
import { configuredAgents, startAgent } from "./agents.ts"

const builtin = (name: string) => builtinAgents.find((agent) => agent.name === name)

describe("configured agents", () => {
  it("keep what a built-in one of the same name may do, and what the configuration leaves open", () => {
    const [agent] = configuredAgents({ plan: { model: "local/big", steps: 3 } })

    expect(builtin("plan")?.permission?.length).toBeGreaterThan(0)
    expect(agent).toEqual({ ...builtin("plan"), model: { providerID: "local", modelID: "big" }, steps: 3 })
  })

  it("begin with nothing where no built-in one is called like that", () => {
    expect(configuredAgents({ review: { prompt: "Review.", permission: "deny" } })).toEqual([
      { name: "review", prompt: "Review." },
    ])
  })

  it("take over who chooses them, what they leave to others, and how they speak", () => {
    const delegates = [{ permission: "bash", pattern: "git *" }]
    const written = { mode: "subagent", hidden: true, temperature: 0.5, top_p: 0.9, delegates } as const
    expect(configuredAgents({ helper: written })).toEqual([
      { name: "helper", mode: "subagent", hidden: true, temperature: 0.5, topP: 0.9, delegates },
    ])
  })

  it("are not there when they are disabled; a built-in one is nobody's to choose then", () => {
    expect(configuredAgents({ helper: { disable: true }, explore: { disable: true } })).toEqual([
      { ...builtin("explore"), mode: "primary", hidden: true },
    ])
  })
})

describe("the agent to start with", () => {
  const source = "/home/ann/.config/pawl/pawl.jsonc"
  const settings = (config: object) => ({ config, layers: [{ config, source, isProject: false }] })
  const flag = (name: string) => ({ name, by: "--agent" })

  it("is the one that is asked for, the configuration's, build, or the first that is left", () => {
    const configured = settings({ agent: { review: {} }, default_agent: "review" })
    expect(startAgent(configured)).toBe("review")
    for (const name of ["build", "plan", "review"]) expect(startAgent(configured, flag(name))).toBe(name)
    expect(startAgent(settings({}))).toBe("build")
    expect(startAgent(settings({ agent: { build: { disable: true } } }))).toBe("plan")
  })

  it.each([
    [{}, "revie", "there is no such agent. To choose from: build, plan."],
    [{ agent: { review: {} } }, "revie", 'Did you mean "review"? To choose from: build, plan, review.'],
    [{}, "explore", "is a subagent: it works for other agents. Name it in the prompt as @explore."],
    [{}, "compaction", "which cannot be chosen. To choose from: build, plan."],
    [{ agent: { plan: { disable: true } } }, "plan", "which cannot be chosen. To choose from: build."],
  ])("with %j is not %s: the error names who says so, and the choices", (config, name, message) => {
    expect(() => startAgent(settings(config), flag(name))).toThrow(`--agent is "${name}"`)
    expect(() => startAgent(settings(config), flag(name))).toThrow(message)
    expect(() => startAgent(settings({ ...config, default_agent: name }))).toThrow(`${source}: "default_agent" is`)
  })
})

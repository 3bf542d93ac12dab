import { builtinAgents } from "@pawl/core"
import { describe, expect, it } from "vitest"
import { checkAgent, configuredAgents } from "./agents.ts"

const plan = builtinAgents.find(({ name }) => name === "plan")

describe("configured agents", () => {
  it("keep what a built-in one of the same name may do, and what the configuration leaves open", () => {
    const [agent] = configuredAgents({ plan: { model: "local/big", steps: 3 } })

    expect(plan?.permission?.length).toBeGreaterThan(0)
    expect(agent).toEqual({ ...plan, model: { providerID: "local", modelID: "big" }, steps: 3 })
  })

  it("begin with nothing where no built-in one is called like that", () => {
    expect(configuredAgents({ review: { prompt: "Review.", permission: "deny" } })).toEqual([
      { name: "review", prompt: "Review." },
    ])
  })
})

describe("the agent to start with", () => {
  const source = "/home/ann/.config/pawl/pawl.jsonc"
  const settings = (config: object) => ({ config, layers: [{ config, source, isProject: false }] })

  it("is a built-in or a configured one", () => {
    const configured = settings({ agent: { review: {} }, default_agent: "review" })
    expect(() => checkAgent(configured)).not.toThrow()
    for (const name of ["build", "plan", "review"]) expect(() => checkAgent(configured, name)).not.toThrow()
    expect(() => checkAgent(settings({}))).not.toThrow()
  })

  it("is not one that nobody has, nor the one that only writes summaries: the error names who says so", () => {
    expect(() => checkAgent(settings({ default_agent: "x" }))).toThrow(
      `${source}: "default_agent" is "x", and there is no such agent. Known: build, plan.`,
    )
    expect(() => checkAgent(settings({ agent: { compaction: {} } }), "compaction")).toThrow('--agent is "compaction"')
  })
})

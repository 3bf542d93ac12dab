import { describe, expect, it } from "vitest"
import { buildAgent, builtinAgents, type Chooser, chooseAgent, isFor, planAgent } from "./agent.ts"
import { decidePermission, defaultScope, type PermissionScope } from "../permission/rules.ts"

const everything: PermissionScope = {
  name: "configuration",
  rules: [{ permission: "*", pattern: "*", action: "allow" }],
}
const decide = (permission: string, pattern: string, ...more: PermissionScope[]) => {
  const own = { name: "agent plan", rules: planAgent.permission ?? [] }
  const scopes = [defaultScope, everything, own, ...more]
  return decidePermission({ scopes }, { permission, patterns: [pattern] })
}

describe("the agent `plan`", () => {
  it.each(["edit", "write"])("may not %s, whatever else allows it", (permission) => {
    expect(decide(permission, "src/a.ts", { ...everything, name: "session" })).toMatchObject({
      action: "deny",
      scope: "agent plan",
    })
  })

  it("asks before it runs a command, though the configuration allows all", () => {
    expect(decide("bash", "git status").action).toBe("ask")
  })

  it.each(["read", "grep", "glob", "list"])("may %s", (permission) => {
    expect(decide(permission, "src/a.ts").action).toBe("allow")
  })
})

const named = new Map(builtinAgents.map((agent) => [agent.name, agent]))

it("are two agents for users, two for other agents, and two internal ones", () => {
  const choices = (chooser: Chooser) => builtinAgents.filter((agent) => isFor(agent, chooser)).map(({ name }) => name)
  expect(choices("user")).toEqual(["build", "plan"])
  expect(choices("agent")).toEqual(["general", "explore"])
  expect(builtinAgents.filter(({ hidden }) => hidden).map(({ name }) => name)).toEqual(["compaction", "title"])
  expect(buildAgent.permission).toBeUndefined()
})

it.each(["edit", "write", "task", "todowrite"])("the agent `explore` may not use %s", (permission) => {
  const own = { name: "agent explore", rules: named.get("explore")?.permission ?? [] }
  const rules = { scopes: [defaultScope, everything, own] }
  expect(decidePermission(rules, { permission, patterns: ["x"] }).action).toBe("deny")
})

describe("the choice of an agent", () => {
  it.each<[Chooser, string, string]>([
    [
      "user",
      "explore",
      'Agent "explore" is a subagent: it works for other agents. Name it in the prompt as @explore. To choose from: build, plan.',
    ],
    [
      "agent",
      "plan",
      'Agent "plan" works for users: other agents cannot give it tasks. To choose from: general, explore.',
    ],
    ["user", "title", 'Agent "title" is internal and cannot be chosen. To choose from: build, plan.'],
    ["user", "poet", 'Agent "poet" is not known. Known: build, plan, general, explore.'],
  ])("by a %s refuses %s and names the others", (chooser, name, message) => {
    expect(() => chooseAgent(named, name, chooser)).toThrow(expect.objectContaining({ message }))
  })
})

import { describe, expect, it } from "vitest"
import { buildAgent, builtinAgents, planAgent } from "./agent.ts"
import { decidePermission, defaultRules, type PermissionScope } from "./permission/rules.ts"

const everything: PermissionScope = {
  name: "configuration",
  rules: [{ permission: "*", pattern: "*", action: "allow" }],
}
const decide = (permission: string, pattern: string, ...more: PermissionScope[]) => {
  const own = { name: "agent plan", rules: planAgent.permission ?? [] }
  return decidePermission([{ name: "defaults", rules: defaultRules }, everything, own, ...more], permission, [pattern])
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

it("are two agents by default, and the first may do everything that is not forbidden", () => {
  expect(builtinAgents.map(({ name }) => name)).toEqual(["build", "plan"])
  expect(buildAgent.permission).toBeUndefined()
})

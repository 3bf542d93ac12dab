import type { Config } from "@pawl/config"
import { describe, expect, it } from "vitest"
import { permissionRules, permissionScopes } from "./permission-scopes.ts"

const layer = (source: string, config: Config) => ({ source, config, isProject: false })

describe("the scopes of the configuration", () => {
  it("are one for each layer that has rules, in the layers' order, and behind them those of agents", () => {
    const scopes = permissionScopes([
      layer("/user/pawl.jsonc", { permission: { bash: "deny" }, agent: { plan: { permission: { edit: "deny" } } } }),
      layer("/project/pawl.jsonc", { model: "a/b" }),
      layer("/project/deep/pawl.jsonc", { permission: "allow", agent: { plan: { permission: "allow" }, other: {} } }),
    ])

    expect(scopes).toEqual([
      { name: "/user/pawl.jsonc", rules: [{ permission: "bash", pattern: "*", action: "deny" }] },
      { name: "/project/deep/pawl.jsonc", rules: [{ permission: "*", pattern: "*", action: "allow" }] },
      {
        name: "/user/pawl.jsonc, agent plan",
        agent: "plan",
        rules: [{ permission: "edit", pattern: "*", action: "deny" }],
      },
      {
        name: "/project/deep/pawl.jsonc, agent plan",
        agent: "plan",
        rules: [{ permission: "*", pattern: "*", action: "allow" }],
      },
    ])
  })
})

describe("a project's rules", () => {
  it("only tighten, for all agents and for one", () => {
    const config: Config = { permission: "allow", agent: { build: { permission: "allow" } } }
    const scopes = permissionScopes([layer("/user", config), { ...layer("/project", config), isProject: true }])
    expect(scopes.map(({ name, onlyTightens }) => [name, onlyTightens])).toEqual([
      ["/user", undefined],
      ["/project", true],
      ["/user, agent build", undefined],
      ["/project, agent build", true],
    ])
  })
})

describe("the rules of a permission", () => {
  it.each<[Config["permission"], string[]]>([
    [undefined, []],
    ["ask", ["* * ask"]],
    [{ edit: "allow", bash: { "*": "ask", "git *": "allow" } }, ["edit * allow", "bash * ask", "bash git * allow"]],
    [{ bash: {} }, []],
  ])("%j are %j", (permission, rules) => {
    expect(permissionRules(permission).map((rule) => `${rule.permission} ${rule.pattern} ${rule.action}`)).toEqual(
      rules,
    )
  })
})

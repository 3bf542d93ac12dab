import type { AgentDefinition, Config } from "@pawl/config"
import { describe, expect, it } from "vitest"
import { permissionScopes } from "./permission-scopes.ts"

const layer = (source: string, config: Config, isProject = false) => ({ source, config, isProject })

const definition = (source: string, changes: Partial<AgentDefinition> = {}): AgentDefinition => ({
  ...{ name: "review", source, isProject: false, config: {}, onlyTightens: false, replaces: [] },
  rules: [{ permission: "edit", pattern: "*", action: "deny", line: 3 }],
  ...changes,
})

describe("the scopes of the configuration", () => {
  it("are one for each layer that has rules, in the layers' order, and behind them those of agents", () => {
    const scopes = permissionScopes([
      layer("/user/pawl.jsonc", { permission: { bash: "deny" }, agent: { plan: { permission: { edit: "deny" } } } }),
      layer("/project/pawl.jsonc", { model: "a/b" }),
      layer("PAWL_CONFIG_CONTENT", { permission: "allow", agent: { plan: { permission: "allow" }, other: {} } }),
    ])

    const source = "/user/pawl.jsonc"
    const content = "PAWL_CONFIG_CONTENT"
    expect(scopes).toEqual([
      {
        ...{ name: "user configuration", source, file: source },
        rules: [{ permission: "bash", pattern: "*", action: "deny" }],
      },
      { name: content, source: content, rules: [{ permission: "*", pattern: "*", action: "allow" }] },
      {
        ...{ name: "user configuration, agent plan", source, file: source, agent: "plan" },
        rules: [{ permission: "edit", pattern: "*", action: "deny" }],
      },
      {
        ...{ name: `${content}, agent plan`, source: content, agent: "plan" },
        rules: [{ permission: "*", pattern: "*", action: "allow" }],
      },
    ])
  })

  it("say in which line a rule stands", () => {
    const positionOf = (path: readonly (string | number)[]) => ({ line: path.length, column: 1 })
    const config: Config = {
      permission: { bash: "ask" },
      agent: { plan: { permission: { bash: { "git *": "allow" } } } },
    }
    const scopes = permissionScopes([{ ...layer("/user/pawl.jsonc", config), positionOf }])
    expect(scopes.map(({ rules }) => rules.map(({ line }) => line))).toEqual([[2], [5]])
  })
})

describe("a project's rules", () => {
  it("only tighten, for all agents and for one", () => {
    const config: Config = { permission: "allow", agent: { build: { permission: "allow" } } }
    const scopes = permissionScopes([layer("/user", config), layer("/project", config, true)])
    expect(scopes.map(({ name, onlyTightens }) => [name, onlyTightens])).toEqual([
      ["user configuration", undefined],
      ["project configuration", true],
      ["user configuration, agent build", undefined],
      ["project configuration, agent build", true],
    ])
  })
})

describe("the rules of an agent's file", () => {
  it("are a scope of their own, before those of the configuration for it", () => {
    const config: Config = { agent: { review: { permission: "ask" } } }
    const scopes = permissionScopes([layer("/user/pawl.jsonc", config)], [definition("/user/agent/review.md")])
    expect(scopes.map(({ file, agent }) => [file, agent])).toEqual([
      ["/user/agent/review.md", "review"],
      ["/user/pawl.jsonc", "review"],
    ])
    expect(scopes[0]?.rules).toEqual([{ permission: "edit", pattern: "*", action: "deny", line: 3 }])
  })

  it("only tighten where the file is a project's, and leave in force what the user's own of that name denies", () => {
    const own = definition("/user/agent/review.md")
    const agent = definition("/project/review.md", { isProject: true, replaces: [own], rules: [] })
    const allowing = [{ permission: "*", pattern: "*", action: "allow" }] as const

    expect(permissionScopes([], [agent])).toEqual([
      { name: "agent review", file: own.source, agent: "review", rules: own.rules, onlyTightens: true },
    ])
    expect(permissionScopes([], [{ ...agent, rules: allowing }]).map(({ onlyTightens }) => onlyTightens)).toEqual([
      true,
      true,
    ])
  })

  it("take the place of others of the user's own as a whole", () => {
    const agent = definition("/user/agent/review.md", { replaces: [definition("/home/.claude/agents/review.md")] })
    expect(permissionScopes([], [agent]).map(({ file }) => file)).toEqual(["/user/agent/review.md"])
  })
})

describe("the rules of an agent that delegates", () => {
  const delegates = [{ permission: "edit", pattern: "docs/**" }]
  const config: Config = {
    agent: { review: { permission: { edit: "deny" }, delegates }, other: { permission: "ask" } },
  }
  const own = (scopes: ReturnType<typeof permissionScopes>) => {
    return scopes.filter(({ isAgentsOwn }) => isAgentsOwn).map(({ agent, file }) => [agent, file])
  }

  it("are marked as its own, where the user wrote them, and keep their source", () => {
    const layers = [layer("/user/pawl.jsonc", config)]
    const agents = [
      definition("/user/agent/review.md", { rules: [{ permission: "bash", pattern: "*", action: "ask" }] }),
    ]

    expect(own(permissionScopes(layers, agents))).toEqual([
      ["review", "/user/agent/review.md"],
      ["review", "/user/pawl.jsonc"],
    ])
  })

  it("are not where a project wrote them: it lifts nothing", () => {
    const project = layer("/project/pawl.jsonc", config, true)
    expect(own(permissionScopes([layer("/user/pawl.jsonc", config), project]))).toEqual([
      ["review", "/user/pawl.jsonc"],
    ])
    expect(own(permissionScopes([project]))).toEqual([])
    const undelegated = layer("/user/pawl.jsonc", { agent: { review: { permission: "ask" } } })
    expect(own(permissionScopes([undelegated, project]))).toEqual([])
  })
})

describe("the rules of a plugin", () => {
  it("are a source of its own beside those of other plugins", () => {
    const config: Config = { permission: { task: "deny" }, agent: { lead: { permission: { task: "allow" } } } }
    const scopes = permissionScopes([
      { ...layer("plugins", config), plugin: "plugin a" },
      { ...layer("plugins", { permission: { task: "deny" } }), plugin: "plugin b" },
    ])
    expect(scopes.map(({ name, source }) => [name, source])).toEqual([
      ["plugin a", "plugin a"],
      ["plugin b", "plugin b"],
      ["plugin a, agent lead", "plugin a"],
    ])
  })
})

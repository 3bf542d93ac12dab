import { describe, expect, it } from "vitest"
import type { Agent } from "../agents/agent.ts"
import type { PermissionRule } from "../record/message.ts"
import { decidePermission, type PermissionScope } from "./rules.ts"
import { permissionRules } from "./scopes.ts"

const rule = (action: PermissionRule["action"], pattern = "*", permission = "bash"): PermissionRule => {
  return { permission, pattern, action }
}
const explore: Agent = { name: "explore" }
const by = (agent: string) => ({ delegation: { agent, messageID: "msg_1" as const, callID: "call_1" } })

/** What `explore` may do below `build`, below `plan`. */
function decided(
  agents: { readonly build?: Partial<Agent>; readonly plan?: Partial<Agent> },
  command: string,
  more: {
    readonly permission?: PermissionScope[]
    readonly root?: PermissionRule[]
    readonly own?: PermissionRule[]
  } = {},
) {
  const known = new Map<string, Agent>([
    ["build", { name: "build", ...agents.build }],
    ["plan", { name: "plan", ...agents.plan }],
  ])
  const sources = { agents: known, permission: more.permission ?? [] }
  const rules = permissionRules(sources, { ...explore, permission: more.own ?? [] }, by("build"), [
    by("plan"),
    { permission: more.root ?? [] },
  ])
  return decidePermission(rules, { permission: "bash", patterns: [command] })
}

describe("a subagent", () => {
  it("may do what every agent above it may", () => {
    expect(decided({}, "ls").action).toBe("allow")
  })

  it.each(["build", "plan"] as const)("may not do what %s above it may not", (agent) => {
    expect(decided({ [agent]: { permission: [rule("deny", "rm *")] } }, "rm x")).toMatchObject({
      ...{ action: "deny", ceiling: agent, scope: `agent ${agent}` },
    })
    expect(decided({ [agent]: { permission: [rule("ask")] } }, "ls", { own: [rule("allow")] })).toMatchObject({
      ...{ action: "ask", ceiling: agent },
    })
  })

  it("may not do what a session above it may not", () => {
    expect(decided({}, "rm x", { root: [rule("deny", "rm *")] })).toMatchObject({ action: "deny", scope: "session" })
  })

  it("is bound by the configuration's rules for the agents above", () => {
    const permission: PermissionScope[] = [{ name: "user, agent plan", agent: "plan", rules: [rule("deny")] }]
    expect(decided({}, "ls", { permission })).toMatchObject({ action: "deny", ceiling: "plan" })
  })

  it("below an agent that is not known any more is asked", () => {
    const rules = permissionRules({ agents: new Map(), permission: [] }, explore, by("gone"), [{}])
    expect(decidePermission(rules, { permission: "bash", patterns: ["ls"] })).toMatchObject({
      ...{ action: "ask", scope: "agent gone, which is not known any more" },
    })
  })
})

describe("what an agent delegates", () => {
  const delegates = [{ permission: "bash", pattern: "git *" }]
  const denies = { permission: [rule("deny")], delegates }

  it("lifts its own rules for its subagents", () => {
    expect(decided({ plan: denies }, "git log").action).toBe("allow")
    expect(decided({ plan: denies }, "ls").action).toBe("deny")
  })

  it("does not lift the rules of the agents between", () => {
    expect(decided({ plan: denies, build: { permission: [rule("deny", "git *")] } }, "git log")).toMatchObject({
      ...{ action: "deny", ceiling: "build" },
    })
  })

  it("lifts neither the configuration's rules nor a session's", () => {
    const permission = [{ name: "user", rules: [rule("deny", "git *")] }]
    expect(decided({ plan: denies }, "git log", { permission })).toMatchObject({ action: "deny", scope: "user" })
    expect(decided({ plan: denies }, "git log", { root: [rule("deny")] })).toMatchObject({ scope: "session" })
    const ofPlan = [{ name: "user, agent plan", agent: "plan", rules: [rule("deny", "git *")] }]
    expect(decided({ plan: denies }, "git log", { permission: ofPlan })).toMatchObject({ ceiling: "plan" })
  })

  it("lifts the rules that the user gives it, wherever they are written", () => {
    const own = { agent: "plan", isAgentsOwn: true, rules: [rule("deny", "git *")] }
    const permission: PermissionScope[] = [{ name: "user, agent plan", ...own }]
    expect(decided({ plan: { delegates } }, "git log", { permission }).action).toBe("allow")
    expect(decided({}, "git log", { permission })).toMatchObject({ action: "deny", ceiling: "plan" })
    const root = permissionRules(
      { agents: new Map([["plan", { name: "plan", delegates }]]), permission },
      { name: "plan", delegates },
      {},
      [],
    )
    expect(decidePermission(root, { permission: "bash", patterns: ["git log"] }).action).toBe("deny")
  })

  it("takes away nothing that its own rules allow", () => {
    const permission = [{ name: "user", rules: [rule("ask")] }]
    const allows = { permission: [rule("allow")], delegates }
    expect(decided({ plan: allows, build: allows }, "git log", { permission, own: [rule("allow")] }).action).toBe(
      "allow",
    )
  })
})

describe("a protected file", () => {
  const decide = (...rules: PermissionRule[]) => {
    const scopes = permissionRules({ agents: new Map(), permission: [{ name: "user", rules }] }, explore, {}, [])
    return decidePermission(scopes, { permission: "protected_file", patterns: [".git/config"] }).action
  }

  it("is asked for by default, and where everything is allowed", () => {
    expect(decide()).toBe("ask")
    expect(decide(rule("allow", "*", "*"))).toBe("ask")
    expect(decide(rule("allow", "*", "protected_*"))).toBe("ask")
  })

  it("is allowed by a rule that names it, and denied by any", () => {
    expect(decide(rule("allow", ".git/*", "protected_file"))).toBe("allow")
    expect(decide(rule("allow", "*", "protected_file"), rule("allow", "*", "*"))).toBe("allow")
    expect(decide(rule("allow", "*", "protected_file"), rule("deny", "*", "*"))).toBe("deny")
  })

  it("is not among what is delegated without its name", () => {
    const agents = new Map([["build", { name: "build", permission: [rule("deny", "*", "*")] }]])
    const decideBelow = (permission: string) => {
      const delegates = [{ permission, pattern: "*" }]
      const known = new Map([["build", { ...agents.get("build"), name: "build", delegates }]])
      const configured = [{ name: "user", rules: [rule("allow", "*", "protected_file")] }]
      const rules = permissionRules({ agents: known, permission: configured }, explore, by("build"), [{}])
      return decidePermission(rules, { permission: "protected_file", patterns: [".git/config"] }).action
    }
    expect([decideBelow("*"), decideBelow("protected_file")]).toEqual(["deny", "allow"])
  })
})

describe("what is unclear", () => {
  const decide = (rules: PermissionRule[], more: Partial<PermissionScope> = {}, session: PermissionRule[] = []) => {
    const scopes = permissionRules(
      { agents: new Map(), permission: [{ name: "user", rules, ...more }] },
      explore,
      { permission: session },
      [],
    )
    const unclear = "The word in command position is not literal."
    return decidePermission(scopes, { permission: "bash", patterns: ["$x y"], unclear })
  }

  it("is asked where only the defaults allow it, with the reason", () => {
    expect(decide([])).toMatchObject({ action: "ask", unclear: "The word in command position is not literal." })
  })

  it.each<[string, PermissionRule[], "allow" | "ask" | "deny"]>([
    ["all of it is allowed", [rule("allow")], "allow"],
    ["everything is allowed", [rule("allow", "*", "*")], "allow"],
    ["only some of it is allowed", [rule("allow", "$x *")], "ask"],
    ["some of it is asked", [rule("allow"), rule("ask", "rm *")], "ask"],
    ["some of it is denied", [rule("allow"), rule("deny", "rm *")], "ask"],
    ["it is denied", [rule("deny", "$x *")], "deny"],
    ["another rule of the scope overrules the one that asks", [rule("ask", "rm *"), rule("allow")], "allow"],
    ["something else is asked", [rule("allow"), rule("ask", "*", "edit")], "allow"],
  ])("where %s", (_what, rules, action) => {
    expect(decide(rules).action).toBe(action)
  })

  it("is asked where another scope makes an exception, or only tightens", () => {
    expect(decide([rule("allow")], {}, [rule("ask", "rm *")]).action).toBe("ask")
    expect(decide([rule("allow")], { onlyTightens: true }).action).toBe("ask")
  })
})

describe("an agent that reads unasked", () => {
  const plan: Agent = { name: "plan", permission: [rule("ask"), rule("deny", "rm *")], readsUnasked: true }
  const reading = { permission: "bash", onlyReads: true }

  function action(agent: Agent, patterns: string[], permission: PermissionScope[] = [], above: Agent[] = []) {
    const sources = { agents: new Map(above.map((each) => [each.name, each])), permission }
    const rules = permissionRules(sources, agent, above.length > 0 ? by("plan") : {}, above.length > 0 ? [{}] : [])
    return decidePermission(rules, { ...reading, patterns }).action
  }

  it("is not asked for what changes nothing, nor are its subagents", () => {
    expect(action(plan, ["ls"])).toBe("allow")
    expect(action(explore, ["ls"], [], [plan])).toBe("allow")
    expect(action({ ...plan, readsUnasked: false }, ["ls"])).toBe("ask")
    expect(action(explore, ["ls"], [], [{ ...plan, readsUnasked: false }])).toBe("ask")
  })

  it("is asked for all else", () => {
    const rules = permissionRules({ agents: new Map(), permission: [] }, plan, {}, [])
    expect(decidePermission(rules, { permission: "bash", patterns: ["ls"] }).action).toBe("ask")
  })

  it("has no more than its denies and the rules of others leave", () => {
    expect(action(plan, ["ls", "rm x"])).toBe("deny")
    for (const agent of [undefined, "plan"])
      for (const said of ["ask", "deny"] as const) {
        const scope = { name: "user", rules: [rule(said, "git *")], ...(agent === undefined ? {} : { agent }) }
        expect(action(plan, ["ls", "git log"], [scope])).toBe(said)
        expect(action(plan, ["ls"], [scope])).toBe("allow")
      }
  })
})

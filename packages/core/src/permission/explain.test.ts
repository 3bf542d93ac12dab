import { describe, expect, it } from "vitest"
import { explainDecision } from "./explain.ts"
import type { PermissionRules } from "./rules.ts"

const rules: PermissionRules = {
  scopes: [
    { name: "defaults", isDefault: true, rules: [{ permission: "*", pattern: "*", action: "allow" }] },
    {
      name: "user",
      file: "/home/me/pawl.jsonc",
      rules: [
        { permission: "bash", pattern: "*", action: "ask", line: 3 },
        { permission: "bash", pattern: "git *", action: "allow", line: 4 },
      ],
    },
    { name: "project", onlyTightens: true, rules: [{ permission: "bash", pattern: "*", action: "allow" }] },
    { name: "agent explore", rules: [{ permission: "edit", pattern: "*", action: "deny" }] },
  ],
  ceilings: [
    {
      agent: "build",
      scopes: [
        {
          name: "agent build",
          except: [{ permission: "bash", pattern: "git *" }],
          rules: [{ permission: "bash", pattern: "*", action: "deny" }],
        },
        { name: "session", rules: [{ permission: "bash", pattern: "git push *", action: "ask" }] },
      ],
    },
  ],
}

describe("an explanation", () => {
  it("names every scope that spoke, in order, the one that decides, and why the others do not", () => {
    const { patterns } = explainDecision(rules, { permission: "bash", patterns: ["git push"] })
    const [own, above] = patterns[0]?.levels ?? []
    expect(own?.spoke).toEqual([
      { scope: "defaults", permission: "*", pattern: "*", action: "allow", decides: false, silencedBy: "overruled" },
      {
        ...{ scope: "user", permission: "bash", pattern: "git *", action: "allow", decides: true },
        ...{ file: "/home/me/pawl.jsonc", line: 4 },
      },
      {
        ...{ scope: "project", permission: "bash", pattern: "*", action: "allow" },
        ...{ decides: false, silencedBy: "only-tightens" },
      },
    ])
    expect(above).toMatchObject({
      ceiling: "build",
      spoke: [
        { scope: "agent build", decides: false, silencedBy: "delegated" },
        { scope: "session", decides: true },
      ],
    })
  })

  it("shows the allow that ends with its word, and the rule that the same file replaces", () => {
    const file = { source: "/home/me/pawl.jsonc", file: "/home/me/pawl.jsonc" }
    const scopes = [
      { name: "user", ...file, rules: [{ permission: "bash", pattern: "*", action: "deny" as const }] },
      { name: "user, agent build", ...file, rules: [{ permission: "bash", pattern: "ls*", action: "allow" as const }] },
    ]
    const spoken = (command: string) => {
      const { patterns } = explainDecision({ scopes }, { permission: "bash", patterns: [command] })
      return patterns[0]?.levels[0]?.spoke.map(({ scope, action, decides, silencedBy }) => {
        return [scope, action, decides ? "decides" : silencedBy]
      })
    }
    expect(spoken("ls -l")).toEqual([
      ["user", "deny", "same-source"],
      ["user, agent build", "allow", "decides"],
    ])
    expect(spoken("lsof")).toEqual([
      ["user", "deny", "decides"],
      ["user, agent build", "allow", "word-end"],
    ])
  })

  it("says in a sentence what is decided, by which rule, and where it stands", () => {
    const why = (pattern: string, permission = "bash") =>
      explainDecision(rules, { permission, patterns: [pattern] }).why
    expect(why("git push")).toBe(
      'bash "git push" is asked by the rule { permission: "bash", pattern: "git push *", action: "ask" } (session, which binds the agent build above): it speaks last.',
    )
    expect(why("a.ts", "edit")).toMatch(/^edit "a.ts" is denied by .*agent explore\): a deny wins over everything\.$/)
    const own = { scopes: rules.scopes }
    expect(explainDecision(own, { permission: "bash", patterns: ["ls"] }).why).toContain(
      "(user, /home/me/pawl.jsonc:3)",
    )
    expect(explainDecision({ scopes: [] }, { permission: "bash", patterns: ["ls"] }).why).toMatch(
      /no rule speaks of it/,
    )
  })

  it("says why what is allowed is asked", () => {
    const own = { scopes: rules.scopes.slice(0, 1) }
    expect(explainDecision(own, { permission: "bash", patterns: ["$x"], unclear: "It is not literal." }).why).toBe(
      'bash "$x" is asked: It is not literal.',
    )
    expect(explainDecision(own, { permission: "bash", patterns: [] }).why).toMatch(/names nothing/)
  })

  it("quotes what could look like something else", () => {
    const pattern = 'x"\n\u001B[2K\u202Eallowed'
    expect(explainDecision({ scopes: [] }, { permission: "bash", patterns: [pattern] }).why).toBe(
      String.raw`bash "x\"\n\u001b[2K\u{202e}allowed" is asked: no rule speaks of it.`,
    )
  })
})

import { describe, expect, it } from "vitest"
import { credentialDirectories, credentialFiles, holdsSecrets, withPlainSecretNames } from "./credential-files.ts"
import { seeded } from "../../test/seeded.ts"
import { type PermissionRule, type PermissionAction } from "../record/message.ts"
import {
  decidePermission,
  defaultRules,
  isDeniedThroughout,
  type PermissionRules,
  type PermissionScope,
} from "./rules.ts"

const actions: PermissionAction[] = ["allow", "ask", "deny"]
const scope = (name: string, ...rules: PermissionRule[]): PermissionScope => ({ name, rules })
const decided = (scopes: readonly PermissionScope[], permission: string, patterns: readonly string[]) => {
  return decidePermission({ scopes }, { permission, patterns })
}
const rule = (action: PermissionAction, pattern = "*", permission = "bash"): PermissionRule => {
  return { permission, pattern, action }
}

describe("among scopes", () => {
  it.each(actions.flatMap((outer) => actions.map((inner) => [outer, inner] as const)))(
    "%s and then %s: a deny wins, else the later scope",
    (outer, inner) => {
      const expected = outer === "deny" || inner === "deny" ? "deny" : inner
      const scopes = [scope("outer", rule(outer)), scope("inner", rule(inner))]
      expect(decided(scopes, "bash", ["ls"]).action).toBe(expected)
    },
  )

  it.each([0, 1, 2, 3, 4])("a deny in scope %d wins over every allow around it", (at) => {
    const scopes = Array.from({ length: 5 }, (_, n) => scope(`scope ${n}`, rule(n === at ? "deny" : "allow")))
    expect(decided(scopes, "bash", ["ls"])).toMatchObject({ action: "deny", scope: `scope ${at}` })
  })

  it("a scope that does not speak of it changes nothing", () => {
    const scopes = [scope("a", rule("allow")), scope("b", rule("deny", "rm *"), rule("deny", "*", "edit")), scope("c")]
    expect(decided(scopes, "bash", ["ls"])).toMatchObject({ action: "allow", scope: "a" })
  })
})

describe("a scope that only tightens", () => {
  const rule = (pattern: string, action: "allow" | "ask" | "deny") => ({ permission: "bash", pattern, action })
  const tightened = (user: "allow" | "ask" | "deny", project: ReturnType<typeof rule>[], command = "git log") =>
    decided(
      [
        { name: "user", rules: [rule("*", user)] },
        { name: "project", onlyTightens: true, rules: project },
      ],
      "bash",
      [command],
    )

  it.each([
    ["lifts no ask", "ask", [rule("*", "allow")], "ask", "user"],
    ["lifts no deny", "deny", [rule("*", "allow")], "deny", "user"],
    ["can ask", "allow", [rule("*", "ask")], "ask", "project"],
    ["can deny", "allow", [rule("*", "deny")], "deny", "project"],
    ["makes exceptions from its own", "allow", [rule("*", "ask"), rule("git *", "allow")], "allow", "user"],
  ] as const)("%s", (_what, user, project, action, scope) => {
    expect(tightened(user, [...project])).toMatchObject({ action, scope })
  })
})

describe("within a scope", () => {
  it.each(actions.flatMap((earlier) => actions.map((later) => [earlier, later] as const)))(
    "%s and then %s: the last rule that matches speaks",
    (earlier, later) => {
      expect(decided([scope("a", rule(earlier), rule(later))], "bash", ["ls"]).action).toBe(later)
    },
  )

  it("a later rule that does not match changes nothing", () => {
    const rules = [rule("deny", "rm *"), rule("allow", "ls *"), rule("allow", "*", "edit")]
    expect(decided([scope("a", ...rules)], "bash", ["rm -rf /"]).action).toBe("deny")
  })

  it("an exception may follow a deny", () => {
    const rules = [rule("deny", "git *"), rule("allow", "git status *")]
    const decide = (command: string) => decided([scope("a", ...rules)], "bash", [command]).action
    expect([decide("git push"), decide("git status"), decide("git status -s")]).toEqual(["deny", "allow", "allow"])
  })
})

describe("within a source", () => {
  const file = (...scopes: PermissionRule[][]): PermissionScope[] => {
    return scopes.map((rules, at) => ({ name: `file, ${at}`, source: "/home/me/pawl.jsonc", rules }))
  }
  const task = (action: PermissionAction, pattern = "*") => rule(action, pattern, "task")

  it.each<[what: string, scopes: PermissionScope[], command: string, action: PermissionAction]>([
    ["an agent's own allow lifts the deny for all", file([task("deny")], [task("allow")]), "task:review", "allow"],
    ["and one for a part of it that part", file([task("deny")], [task("allow", "review")]), "task:review", "allow"],
    ["and no other part", file([task("deny")], [task("allow", "review")]), "task:build", "deny"],
    ["a deny of everything is lifted by name", file([rule("deny", "*", "*")], [rule("allow")]), "bash:ls", "allow"],
    ["an agent's own ask takes its place", file([task("deny")], [task("ask")]), "task:review", "ask"],
    ["an agent's own deny holds", file([task("allow")], [task("deny")]), "task:review", "deny"],
    ["a narrower deny for all holds", file([rule("deny", "rm *")], [rule("allow")]), "bash:rm x", "deny"],
    ["and one that is neither", file([rule("deny", "* -rf *")], [rule("allow", "rm *")]), "bash:rm -rf x", "deny"],
    [
      "and one that a wider one follows",
      file([rule("deny", "rm *"), rule("deny")], [rule("allow")]),
      "bash:rm x",
      "deny",
    ],
    ["a named exception lifts it", file([rule("deny", "rm *")], [rule("allow", "rm *")]), "bash:rm x", "allow"],
    ["and so does a narrower one", file([rule("deny", "rm *")], [rule("allow", "rm -i *")]), "bash:rm -i x", "allow"],
    [
      "the deny of another file wins",
      [scope("b", task("deny")), ...file([task("deny")], [task("allow")])],
      "task:x",
      "deny",
    ],
    ["wherever it stands", [...file([task("deny")], [task("allow")]), scope("b", task("deny"))], "task:x", "deny"],
  ])("%s", (_what, scopes, command, action) => {
    const [permission = "", pattern = ""] = command.split(":")
    expect(decided(scopes, permission, [pattern]).action).toBe(action)
  })

  it("that only tightens, an exception from its own deny leaves what others say", () => {
    const project = file([task("deny")], [task("allow")]).map((each) => ({ ...each, onlyTightens: true }))
    expect(decided([scope("user", task("ask")), ...project], "task", ["review"])).toMatchObject({ scope: "user" })
    expect(decided([scope("user", task("allow")), ...project], "task", ["review"]).action).toBe("allow")
  })

  it("vouches for what is unclear where the agent's own rules do, and nothing narrower is denied for all", () => {
    const unclear = "It is not literal."
    const decide = (forAll: PermissionRule[]) => {
      const scopes = file(forAll, [rule("allow")])
      return decidePermission({ scopes }, { permission: "bash", patterns: ["$x"], unclear }).action
    }
    expect([decide([rule("ask")]), decide([rule("deny")])]).toEqual(["allow", "allow"])
    expect([decide([rule("deny", "rm *")]), decide([rule("deny", "rm *"), rule("deny")])]).toEqual(["ask", "ask"])
  })
})

describe("an allow for a command", () => {
  const decide = (action: PermissionAction, command: string, permission = "bash") => {
    return decided([scope("a", rule("ask", "*", "*"), rule(action, "ls*", permission))], permission, [command])
  }

  it("ends with the word before its star, and ask and deny do not", () => {
    const commands = ["ls", "ls -l", "lsof", "ls-x"]
    expect(commands.map((command) => decide("allow", command).action)).toEqual(["allow", "allow", "ask", "ask"])
    expect(commands.map((command) => decide("deny", command).action)).toEqual(["deny", "deny", "deny", "deny"])
  })

  it("is wide for what is no command", () => {
    expect(decide("allow", "lsof", "edit").action).toBe("allow")
  })

  it("lets what is left to subagents end there as well", () => {
    const except = [{ permission: "bash", pattern: "ls*" }]
    const ceilings = [{ agent: "plan", scopes: [{ ...scope("a", rule("deny")), except }] }]
    const own = [scope("b", rule("allow"))]
    const below = (command: string) => {
      return decidePermission({ scopes: own, ceilings }, { permission: "bash", patterns: [command] }).action
    }
    // Nothing else speaks at the level above.
    expect([below("ls -l"), below("lsof")]).toEqual(["ask", "deny"])
  })
})

describe("what is decided", () => {
  it("names the pattern, the rule and its scope", () => {
    const denied = rule("deny", "rm *")
    expect(decided([scope("configuration", rule("allow"), denied)], "bash", ["ls", "rm -rf /"])).toEqual({
      action: "deny",
      permission: "bash",
      pattern: "rm -rf /",
      rule: denied,
      scope: "configuration",
    })
  })

  it.each<[string, PermissionScope[], string[]]>([
    ["no rule speaks of", [scope("a", rule("allow", "ls"))], ["pwd"]],
    ["no scope speaks of", [], ["ls"]],
    ["has no pattern, whatever the rules allow,", [scope("a", rule("allow"))], []],
  ])("is to ask for what %s", (_what, scopes, patterns) => {
    const decision = decided(scopes, "bash", patterns)
    expect(decision).toEqual({ action: "ask", permission: "bash", pattern: patterns[0] ?? "" })
  })

  it("is denied without any pattern where everything is denied", () => {
    const scopes = [scope("a", rule("deny")), scope("b", rule("allow"))]
    expect(decided(scopes, "bash", [])).toMatchObject({ action: "deny", scope: "a" })
    expect(decided([scope("a", rule("deny", "rm *"))], "bash", []).action).toBe("ask")
  })

  it.each<[PermissionAction, string[]]>([
    ["allow", ["a", "a"]],
    ["ask", ["a", "b"]],
    ["ask", ["b", "a"]],
    ["deny", ["a", "b", "c"]],
    ["deny", ["c", "b", "a"]],
    ["ask", ["a", "unknown"]],
  ])("is to %s, the strictest of its patterns, for %j", (expected, patterns) => {
    const rules = [rule("allow", "a"), rule("ask", "b"), rule("deny", "c")]
    expect(decided([scope("a", ...rules)], "bash", patterns).action).toBe(expected)
  })

  it("is about its permission alone, unless a rule is about more", () => {
    const decide = (permission: string) => {
      return decided([scope("a", rule("allow", "*", "*"), rule("deny", "*", "mcp_*"))], permission, ["x"]).action
    }
    expect([decide("bash"), decide("mcp_write"), decide("not_mcp_write")]).toEqual(["allow", "deny", "allow"])
  })

  it("stays a deny whatever scopes are added and in whatever order they stand", () => {
    const random = seeded(13)
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
    const patterns = ["a", "b", "ab"]
    const someRules = () => {
      return Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        rule(pick(actions), pick(["*", "a*", "b", "?b"])),
      )
    }
    const isDenied = (scopes: PermissionScope[], pattern: string) => {
      return decided(scopes, "bash", [pattern]).action === "deny"
    }
    let denied = 0
    for (let n = 0; n < 2_000; n++) {
      const pattern = pick(patterns)
      const scopes = Array.from({ length: 4 }, (_, at) => scope(`scope ${at}`, ...someRules()))
      const isDeniedByOne = scopes.some((each) => isDenied([each], pattern))
      expect([isDenied(scopes, pattern), isDenied(scopes.toReversed(), pattern)]).toEqual([
        isDeniedByOne,
        isDeniedByOne,
      ])
      denied += Number(isDeniedByOne)
    }
    expect(denied).toBeGreaterThan(500)
  })
})

describe("the defaults", () => {
  it.each<readonly [PermissionAction, string, string]>([
    ["allow", "bash", "make"],
    ["allow", "read", "src/index.ts"],
    ["ask", "external_directory", "/etc/*"],
    ["ask", "read", ".env"],
    ["ask", "read", "app/.env"],
    ["ask", "read", "app/.env.local"],
    ["allow", "read", "app/.env.example"],
    ["allow", "read", "src/environment.ts"],
    ...credentialFiles.map((name) => ["ask", "read", name] as const),
    ...credentialFiles.map((name) => ["ask", "read", `home/${name}`] as const),
    ...credentialDirectories.map((name) => ["ask", "read", `${name}/a/token`] as const),
    ...credentialDirectories.map((name) => ["ask", "read", `home/${name}/a.json`] as const),
    ["ask", "read", "tls/server.pem"],
    ["ask", "read", "tls/server.key"],
    ["ask", "read", "store.p12"],
    ["ask", "read", "id_rsa"],
    ["ask", "read", "keys/id_ed25519_work"],
    ["ask", "read", "keys/id_rsa.bak"],
    ["allow", "read", "keys/id_rsa.pub"],
    ["allow", "read", "keys/id_ed25519_work.pub"],
    ["allow", "read", "src/keyboard.ts"],
    ["allow", "read", "src/monkey"],
    ["allow", "read", "gradle.properties"],
    ["allow", "read", ".npmignore"],
    ["allow", "read", "src/credentials"],
  ])("%s to %s %s", (expected, permission, pattern) => {
    expect(decided([scope("defaults", ...defaultRules)], permission, [pattern]).action).toBe(expected)
    if (permission === "read") expect(holdsSecrets(pattern.toUpperCase())).toBe(expected === "ask")
  })

  it.each([
    ["Tls/SERVER.PEM", "Tls/SERVER.pem"],
    [".NuGet/NuGet.Config", ".nuget/nuget.config"],
    ["Home/.SSH/Config", "Home/.ssh/Config"],
    ["ID_RSA", "id_rsa"],
    [".ENV.Local", ".env.Local"],
    ["src/Keys.ts", "src/Keys.ts"],
  ])("take %s for %s", (path, plain) => {
    expect(withPlainSecretNames(path)).toBe(plain)
  })
})

describe("what is denied throughout", () => {
  const deny = (pattern: string): PermissionRule => ({ permission: "edit", pattern, action: "deny" })
  const allow = (pattern: string): PermissionRule => ({ permission: "edit", pattern, action: "allow" })

  it.each<[boolean, string, PermissionRules]>([
    [true, "the last rule for it denies all", { scopes: [scope("a", allow("*"), deny("*"))] }],
    [true, "a later scope allows it", { scopes: [scope("a", deny("*")), scope("b", allow("*"))] }],
    [true, "an agent above denies it", { scopes: [], ceilings: [{ agent: "plan", scopes: [scope("a", deny("*"))] }] }],
    [false, "some of it is allowed again", { scopes: [scope("a", deny("*"), allow("docs/*"))] }],
    [false, "some of it is denied", { scopes: [scope("a", deny("src/*"))] }],
    [
      false,
      "a later scope of the same file allows some of it",
      { scopes: [scope("a", deny("*")), scope("b", allow("docs/*"))].map((each) => ({ ...each, source: "file" })) },
    ],
    [
      true,
      "a later scope of the same file allows all but what is denied besides",
      {
        scopes: [scope("a", deny("*")), scope("b", allow("*"), deny("*"))].map((each) => ({ ...each, source: "file" })),
      },
    ],
    [
      false,
      "some of it is left to subagents",
      {
        scopes: [],
        ceilings: [
          {
            agent: "plan",
            scopes: [{ ...scope("a", deny("*")), except: [{ permission: "edit", pattern: "docs/*" }] }],
          },
        ],
      },
    ],
  ])("is %s where %s", (isDenied, _where, rules) => {
    expect(isDeniedThroughout(rules, "edit")).toBe(isDenied)
  })
})

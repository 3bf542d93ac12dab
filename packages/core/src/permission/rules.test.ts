import { describe, expect, it } from "vitest"
import type { PermissionRule } from "../session/message.ts"
import { decidePermission, defaultRules, matches, type PermissionAction, type PermissionScope } from "./rules.ts"

const actions: PermissionAction[] = ["allow", "ask", "deny"]
const scope = (name: string, ...rules: PermissionRule[]): PermissionScope => ({ name, rules })
const rule = (action: PermissionAction, pattern = "*", permission = "bash"): PermissionRule => {
  return { permission, pattern, action }
}

describe("among scopes", () => {
  it.each(actions.flatMap((outer) => actions.map((inner) => [outer, inner] as const)))(
    "%s and then %s: a deny wins, else the later scope",
    (outer, inner) => {
      const expected = outer === "deny" || inner === "deny" ? "deny" : inner
      const scopes = [scope("outer", rule(outer)), scope("inner", rule(inner))]
      expect(decidePermission(scopes, "bash", ["ls"]).action).toBe(expected)
    },
  )

  it.each([0, 1, 2, 3, 4])("a deny in scope %d wins over every allow around it", (at) => {
    const scopes = Array.from({ length: 5 }, (_, n) => scope(`scope ${n}`, rule(n === at ? "deny" : "allow")))
    expect(decidePermission(scopes, "bash", ["ls"])).toMatchObject({ action: "deny", scope: `scope ${at}` })
  })

  it("a scope that does not speak of it changes nothing", () => {
    const scopes = [scope("a", rule("allow")), scope("b", rule("deny", "rm *"), rule("deny", "*", "edit")), scope("c")]
    expect(decidePermission(scopes, "bash", ["ls"])).toMatchObject({ action: "allow", scope: "a" })
  })
})

describe("a scope that only tightens", () => {
  const rule = (pattern: string, action: "allow" | "ask" | "deny") => ({ permission: "bash", pattern, action })
  const decided = (user: "allow" | "ask" | "deny", project: ReturnType<typeof rule>[], command = "git log") =>
    decidePermission(
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
    expect(decided(user, [...project])).toMatchObject({ action, scope })
  })
})

describe("within a scope", () => {
  it.each(actions.flatMap((earlier) => actions.map((later) => [earlier, later] as const)))(
    "%s and then %s: the last rule that matches speaks",
    (earlier, later) => {
      expect(decidePermission([scope("a", rule(earlier), rule(later))], "bash", ["ls"]).action).toBe(later)
    },
  )

  it("a later rule that does not match changes nothing", () => {
    const rules = [rule("deny", "rm *"), rule("allow", "ls *"), rule("allow", "*", "edit")]
    expect(decidePermission([scope("a", ...rules)], "bash", ["rm -rf /"]).action).toBe("deny")
  })

  it("an exception may follow a deny", () => {
    const rules = [rule("deny", "git *"), rule("allow", "git status *")]
    const decide = (command: string) => decidePermission([scope("a", ...rules)], "bash", [command]).action
    expect([decide("git push"), decide("git status"), decide("git status -s")]).toEqual(["deny", "allow", "allow"])
  })
})

describe("what is decided", () => {
  it("names the pattern, the rule and its scope", () => {
    const denied = rule("deny", "rm *")
    expect(decidePermission([scope("configuration", rule("allow"), denied)], "bash", ["ls", "rm -rf /"])).toEqual({
      action: "deny",
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
    const decision = decidePermission(scopes, "bash", patterns)
    expect(decision).toEqual({ action: "ask", pattern: patterns[0] ?? "" })
  })

  it("is denied without any pattern where everything is denied", () => {
    const scopes = [scope("a", rule("deny")), scope("b", rule("allow"))]
    expect(decidePermission(scopes, "bash", [])).toMatchObject({ action: "deny", scope: "a" })
    expect(decidePermission([scope("a", rule("deny", "rm *"))], "bash", []).action).toBe("ask")
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
    expect(decidePermission([scope("a", ...rules)], "bash", patterns).action).toBe(expected)
  })

  it("is about its permission alone, unless a rule is about more", () => {
    const decide = (permission: string) => {
      return decidePermission([scope("a", rule("allow", "*", "*"), rule("deny", "*", "mcp_*"))], permission, ["x"])
        .action
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
      return decidePermission(scopes, "bash", [pattern]).action === "deny"
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
  it.each<[PermissionAction, string, string]>([
    ["allow", "bash", "make"],
    ["allow", "read", "src/index.ts"],
    ["ask", "external_directory", "/etc/*"],
    ["ask", "read", ".env"],
    ["ask", "read", "app/.env"],
    ["ask", "read", "app/.env.local"],
    ["allow", "read", "app/.env.example"],
    ["allow", "read", "src/environment.ts"],
  ])("%s to %s %s", (expected, permission, pattern) => {
    expect(decidePermission([scope("defaults", ...defaultRules)], permission, [pattern]).action).toBe(expected)
  })
})

describe("a pattern", () => {
  it.each<[boolean, string, string]>([
    [true, "ls", "ls"],
    [false, "ls -l", "ls"],
    [false, "also", "ls"],
    [true, "", ""],
    [false, "x", ""],
    [true, "", "*"],
    [true, "anything at all", "*"],
    [true, "src/a/b.ts", "src/*.ts"],
    [true, "a", "?"],
    [false, "", "?"],
    [false, "ab", "?"],
    [true, "abcabc", "*abc"],
    [true, "aab", "a*ab"],
    [true, "a", "**a**"],
    [false, "LS", "ls"],
    // The end ` *` also stands for nothing.
    [true, "git push", "git push *"],
    [true, "git push origin", "git push *"],
    [false, "git pushx", "git push *"],
    [true, "git push ", "git push *"],
    [false, "git", "git push *"],
    [true, "", " *"],
    // Whatever a shell or a regular expression makes of a character, here it stands for itself.
    [true, "a.b", "a.b"],
    [false, "axb", "a.b"],
    [true, "f(x)[0]{1}^$|+", "f(x)[0]{1}^$|+"],
    [true, "a+b", "a+b"],
    [false, "aab", "a+b"],
    [true, "$HOME", "$HOME"],
    [true, "a-b", "a-b"],
    // Line ends are characters like others: a second line does not hide from a rule.
    [true, "echo a\nrm -rf /", "echo *"],
    [true, "echo a\nrm -rf /", "*rm -rf*"],
    [false, "ls\nrm -rf /", "ls"],
    [true, "a\r\nb", "a??b"],
    [true, "a\u2028b", "a*b"],
    // Characters beyond the first plane are one each.
    [true, "😀", "?"],
    [true, "größe/世界.md", "größe/*.md"],
    [false, "é", "e"],
    // However the system spells an accent: with its letter, or behind it.
    [true, "cafe\u0301.md", "café.md"],
    [true, "café.md", "cafe\u0301.md"],
    [true, "e\u0301", "?"],
    // A separator of directories is one, on every system.
    [true, "src\\a.ts", "src/*"],
    [true, "src/a.ts", "src\\*"],
  ])("%s: %j %j", (expected, text, pattern) => {
    expect(matches(text, pattern)).toBe(expected)
  })

  it("matches as its definition says, whatever it is made of", () => {
    const random = seeded(17)
    const word = (letters: string, length: number) => {
      return Array.from(
        { length: Math.floor(random() * length) },
        () => letters[Math.floor(random() * letters.length)],
      ).join("")
    }
    /** The definition, one character at a time. */
    const defined = (text: string, pattern: string): boolean => {
      if (pattern === "") return text === ""
      if (pattern[0] === "*") return defined(text, pattern.slice(1)) || (text !== "" && defined(text.slice(1), pattern))
      return text !== "" && (pattern[0] === "?" || pattern[0] === text[0]) && defined(text.slice(1), pattern.slice(1))
    }
    for (let n = 0; n < 5_000; n++) {
      const [text, pattern] = [word("ab.\n", 8), word("ab.*?\n", 6)]
      expect([text, pattern, matches(text, pattern)]).toEqual([text, pattern, defined(text, pattern)])
    }
  })

  it("is matched in a moment, however hostile the text", () => {
    const slashes = "/".repeat(20_000)
    expect(matches(slashes, "**/**/**/*.env")).toBe(false)
    expect(matches(`${slashes}.env`, "**/**/**/*.env")).toBe(true)
    expect(matches("a".repeat(20_000), `${"*a".repeat(20)}b`)).toBe(false)
  })
})

/** Numbers from 0 to 1, the same each time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

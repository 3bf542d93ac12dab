import { describe, expect, it } from "vitest"
import { MAX_CHOSEN_PATTERN_LENGTH, MAX_CHOSEN_PATTERNS } from "../record/chosen-pattern-limits.ts"
import { type AskedPatterns, chosenApprovals, chosenPatternsProblem } from "./chosen-patterns.ts"

function asked(patterns: string[], fields: Partial<AskedPatterns> = {}): AskedPatterns {
  return { permission: "bash", patterns, always: patterns, metadata: {}, ...fields }
}
const push = asked(["git push origin main"])
const both = asked(["git status", "npm test"])
const unclear = { metadata: { unclear: "It sets PATH." } }

describe("patterns of the user's own for an answer of always", () => {
  it.each<[string, AskedPatterns, string[]]>([
    ["the proposed pattern", push, ["git push origin main"]],
    ["a wider pattern", push, ["git push *"]],
    ["every command", push, ["*"]],
    ["one character", push, ["git push origin mai?"]],
    ["a pattern that also matches without its end", asked(["git push"]), ["git push *"]],
    [
      "a narrower one than a proposal that covers the call",
      asked(["make test"], { always: ["make *"] }),
      ["make test *"],
    ],
    ["further patterns beside the one that matches", push, ["git push *", "git fetch *"]],
    ["one pattern for all parts", both, ["*"]],
    ["one pattern for each part", both, ["npm *", "git *"]],
    ["a part that no proposal covers", asked(["cd app", "make test"], { always: ["make *"] }), ["make test"]],
    ["the same accent in another form", asked(["cat caf\u00E9"]), ["cat cafe\u0301"]],
    ["what the tool proposes for an unclear call", asked(["make"], unclear), ["make"]],
    ["a path", asked(["src/app.ts"], { permission: "edit" }), ["src/*"]],
    ["as many as can be", push, ["git *", ...Array.from({ length: MAX_CHOSEN_PATTERNS - 1 }, (_, at) => `a${at}`)]],
  ])("can be %s", (_, question, chosen) => {
    expect(chosenPatternsProblem(question, chosen)).toBeUndefined()
  })

  it.each<[string, AskedPatterns, string[], RegExp]>([
    ["none", push, [], /needs a pattern/],
    ["an empty one", push, ["git push *", ""], /no empty one/],
    ["too many", push, Array<string>(MAX_CHOSEN_PATTERNS + 1).fill("*"), /at most 50 patterns, not 51/],
    ["a long one", push, ["*".repeat(MAX_CHOSEN_PATTERN_LENGTH + 1)], /at most 10000 characters/],
    [
      "another command",
      push,
      ["git pull *"],
      /^The pattern "git pull \*" does not match bash "git push origin main", so/,
    ],
    ["another case", push, ["Git push *"], /does not match/],
    ["a part of the word", asked(["lsof"]), ["ls*"], /"ls\*" does not match bash "lsof".* A "\*" after a letter/],
    ["one part of two", both, ["npm *"], /"npm \*" does not match bash "git status"/],
    [
      "several that miss a part",
      both,
      ["npm *", "git log"],
      /^None of the patterns "npm \*", "git log" matches bash "git status"/,
    ],
    ["a proposal that repeats one part with a star", asked(["rm *", "rm x"]), ["rm *"], /does not match bash "rm x"/],
    ["a wider one for an unclear call", asked(["make"], unclear), ["make*"], /unclear what the call does.*only "make"/],
    ["a hidden character", push, ["git\u200B *"], /"git\\u\{200b\} \*"/],
  ])("cannot be %s", (_, question, chosen, problem) => {
    expect(chosenPatternsProblem(question, chosen)).toMatch(problem)
  })

  it("are marked as patterns, unless the tool proposed them", () => {
    const { always } = asked(["rm *.log"])
    expect(chosenApprovals({ always })).toEqual([{ pattern: "rm *.log" }])
    expect(chosenApprovals({ always }, ["rm *.log", "rm *", "rm *"])).toEqual([
      { pattern: "rm *.log" },
      { pattern: "rm *", glob: true },
    ])
  })
})

import { describe, expect, it } from "vitest"
import { seeded } from "../../test/seeded.ts"
import { covers, matches, matchesAllowed } from "./patterns.ts"

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

describe("a pattern of a command that is allowed", () => {
  it.each<[boolean, string, string]>([
    [true, "ls", "ls*"],
    [true, "ls -l", "ls*"],
    [true, "ls\t-l", "ls*"],
    [false, "lsof", "ls*"],
    [false, "ls-files", "ls*"],
    [false, "ls;rm", "ls*"],
    [true, "lsof", "*"],
    [true, "git status -s", "git status*"],
    [false, "git statusx", "git status*"],
    [true, "git push origin", "git push *"],
    [true, "git push", "git push *"],
    [true, "git -C a status", "git* status"],
    [false, "gitx status", "git* status"],
    [true, "git status", "git* status"],
    [true, "xls ls -l", "*ls*"],
    [false, "xlsx lsof", "*ls*"],
    // Behind any other character the word may go on.
    [true, "npm run test:unit", "npm run test:*"],
    [true, "cat src/a.ts", "cat src/*"],
    [true, "./run.sh", "./*"],
    [true, "make --jobs=4", "make --jobs=*"],
    [false, "größer", "größe*"],
    [false, "cafe\u0301s", "café*"],
    [true, "ls*", "ls*"],
    [true, "ls", "ls**"],
    [false, "lsof", "ls**"],
    [false, "lsof x", "ls* *"],
    [true, "ls a", "ls* *"],
    [true, "ls", "ls* *"],
  ])("%s: %j %j", (expected, text, pattern) => {
    expect(matchesAllowed("bash", text, pattern)).toBe(expected)
  })

  it.each<[boolean, string, string]>([
    [true, "https://example.com", "https://example.com*"],
    [true, "https://example.com/a?b#c", "https://example.com*"],
    [true, "http://localhost:3000/", "http://localhost*"],
    [false, "https://example.com.evil.org/", "https://example.com*"],
    [false, "https://example.community/", "https://example.com*"],
    [false, "https://example.com@evil.org/", "https://example.com*"],
    [true, "https://github.com/acme/app", "https://github.com/acme*"],
    [false, "https://github.com/acme-evil/app", "https://github.com/acme*"],
    [true, "https://github.com/acme/app", "https://github.com/*"],
  ])("ends in an address with a host or a part of the path: %s, %j %j", (expected, text, pattern) => {
    expect(matchesAllowed("webfetch", text, pattern)).toBe(expected)
  })

  it("goes on for files, agents and tools", () => {
    expect(matchesAllowed("edit", "docs-old/a.md", "docs*")).toBe(true)
    expect(matchesAllowed("task", "reviewer", "review*")).toBe(true)
  })

  it("matches nothing that it does not match otherwise", () => {
    const random = seeded(23)
    const word = (letters: string, length: number) => {
      return Array.from({ length: Math.floor(random() * length) }, () => letters[Math.floor(random() * letters.length)])
    }
    const allowed: [text: string, pattern: string][] = []
    for (let n = 0; n < 5_000; n++) {
      const [text, pattern] = [word("ab -", 8).join(""), word("ab* -", 6).join("")]
      if (matchesAllowed("bash", text, pattern)) allowed.push([text, pattern])
    }
    expect(allowed.length).toBeGreaterThan(100)
    expect(allowed.filter(([text, pattern]) => !matches(text, pattern))).toEqual([])
  })

  it("is matched in a moment, however hostile the text", () => {
    expect(matchesAllowed("bash", "a ".repeat(20_000), `${"*a".repeat(20)}*b`)).toBe(false)
  })
})

it.each<[boolean, string, string]>([
  [true, "*", "git *"],
  [true, "git *", "git push *"],
  [true, "git *", "git *"],
  [true, "git *", "git"],
  [true, "a?", "a?"],
  [false, "git push *", "git *"],
  [false, "rm *", "*"],
  [false, "a?", "a*"],
  [false, "a??", "a*"],
  [false, "?", "*"],
  [false, "a*b", "a*b*"],
  [false, "* -f", "git *"],
])("covers: %s for %j and %j", (expected, wide, narrow) => {
  expect(covers(wide, narrow)).toBe(expected)
})

it("covers no pattern that matches more", () => {
  const random = seeded(29)
  const word = (letters: string, length: number) => {
    return Array.from({ length: Math.floor(random() * length) }, () => letters[Math.floor(random() * letters.length)])
  }
  const texts = Array.from({ length: 3 ** 6 }, (_, n) => {
    return Array.from({ length: n % 7 }, (_unused, at) => "ab "[Math.floor(n / 3 ** at) % 3]).join("")
  })
  for (let n = 0; n < 2_000; n++) {
    const [wide, narrow] = [word("ab*?", 4).join(""), word("ab*?", 4).join("")]
    if (!covers(wide, narrow)) continue
    const missed = texts.find((text) => matches(text, narrow) && !matches(text, wide))
    expect([wide, narrow, missed]).toEqual([wide, narrow, undefined])
  }
})

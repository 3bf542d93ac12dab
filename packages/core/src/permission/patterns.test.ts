import { describe, expect, it } from "vitest"
import { matches } from "./patterns.ts"

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

import { describe, expect, it } from "vitest"
import { wrongName, wrongToolName } from "./name.ts"

describe("a name", () => {
  it.each(["a", "code-reviewer", "v1.2_x", "7", "nested/deep/one", "a".repeat(64)])("may be %s", (name) => {
    expect(wrongName(name, { isNested: true })).toBeUndefined()
  })

  it.each([
    ...["", ".", "..", "../x", "a/../b", "/etc/passwd", "a//b", "a/", "a\\b", "-rf", ".hidden", "a.", "_a"],
    ...["Code Reviewer", "review er", "UPPER", "naïve", "名前", "\u202Etxt", "а", "a\nb", "a\0b", "$(touch x)", "a:b"],
    ...["__proto__", "a".repeat(65), Array.from({ length: 9 }, () => "a").join("/")],
  ])("may not be %j", (name) => {
    expect(wrongName(name, { isNested: true })).toContain("Names are made of lowercase letters a-z, digits,")
  })

  it("of a skill is in no directory", () => {
    expect(wrongName("a/b", { isNested: false })).toContain('The name "a/b" is not allowed.')
  })

  it.each([
    ["Code Reviewer", "code-reviewer"],
    ["Équipe/Été!", "equipe/ete"],
    ["../x", undefined],
    ["名前", undefined],
  ])("%s could be %s", (name, near) => {
    const wrong = wrongName(name, { isNested: true })
    if (near === undefined) expect(wrong).not.toContain("for example")
    else expect(wrong).toMatch(new RegExp(`, for example "${near}"\\.$`))
  })

  it("is cut in a message", () => {
    expect(wrongName("X".repeat(100_000), { isNested: true })?.length).toBeLessThan(500)
  })
})

describe("a tool's file", () => {
  it("is called as the model may call it", () => {
    for (const name of ["search", "gitLog", "my-tool_2"]) expect(wrongToolName(name)).toBeUndefined()
    for (const name of ["a.b", "a b", "1a", "__proto__", "ü", "", "x".repeat(65)]) {
      expect(wrongToolName(name)).toContain("is not allowed. A tool's file is called by letters")
    }
  })
})

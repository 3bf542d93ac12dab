import { describe, expect, it } from "vitest"
import { readOptions } from "./options.ts"

describe("options", () => {
  it("may all be absent", () => {
    expect(readOptions({})).toEqual({ agents: {}, keep: [] })
  })

  it("are read with what a rule leaves open filled in", () => {
    expect(readOptions({ keep: [{ pattern: "^KEEP:" }] }).keep).toEqual([
      { pattern: "^KEEP:", from: "user", scope: "message" },
    ])
  })

  it.each([
    [{ tempalte: "x" }, 'options: "tempalte" is not known'],
    [{ agents: { plan: { keep: [] } } }, 'agents.plan: "keep" is not known'],
    [{ template: " " }, "template: must not be empty"],
    [{ template: "x".repeat(70_000) }, "template: must be at most 65536 characters"],
    [{ file: 5 }, "file: must be the path of a file, or false"],
    [{ sections: [{ title: "a\nb", content: "c" }] }, "sections[0].title: must be one line"],
    [{ keep: [{ pattern: "(" }] }, "keep[0].pattern: must be a regular expression"],
    [{ keep: [{ pattern: "x", from: "tool" }] }, "keep[0].from: "],
  ])("%j is refused, with the place", (options, message) => {
    expect(() => readOptions(options)).toThrow(message)
  })

  it("are refused with all that is wrong at once", () => {
    expect(() => readOptions({ template: "", file: 5 })).toThrow(/template: .*\n- file: /)
  })
})

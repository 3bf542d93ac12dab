import { describe, expect, it } from "vitest"
import { toolNames } from "./tool-names.ts"

const names = (tools: readonly (readonly [string, string])[], reserved: readonly string[] = []) => [
  ...toolNames(
    tools.map(([server, tool]) => ({ server, tool })),
    new Set(reserved),
  ).keys(),
]

describe("names of tools", () => {
  it("are the server's and the tool's, with other characters replaced", () => {
    expect(names([["my server", "say/hällo.now"]])).toEqual(["my_server_say_h_llo_now"])
  })

  it("that are the same are told apart by a hash, whatever stands in between", () => {
    const [first, second] = names([
      ["a_b", "c"],
      ["a", "b_c"],
    ])

    expect(first).toBe("a_b_c")
    expect(second).toMatch(/^a_b_c_[0-9a-f]{8}$/)
    expect(names([["a", "b_c"]])).toEqual(["a_b_c"])
  })

  it("are no other tool's name in another case", () => {
    expect(
      names([
        ["a", "Read"],
        ["a", "read"],
      ])[1],
    ).toMatch(/^a_read_[0-9a-f]{8}$/)
  })

  it("never stand for a reserved one", () => {
    expect(names([["tool", "search"]], ["tool_search"])[0]).toMatch(/^tool_search_[0-9a-f]{8}$/)
  })

  it("have at most 64 characters, and differ where they are cut", () => {
    const long = "x".repeat(80)
    const found = names([
      ["s", `${long}1`],
      ["s", `${long}2`],
    ])

    expect(new Set(found).size).toBe(2)
    for (const name of found) expect(name).toHaveLength(64)
  })

  it("leave out a tool that is listed twice", () => {
    expect(
      names([
        ["a", "b"],
        ["a", "b"],
        ["a", "b"],
      ]),
    ).toHaveLength(2)
  })
})

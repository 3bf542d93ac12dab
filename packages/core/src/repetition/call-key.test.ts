import { describe, expect, it } from "vitest"
import { describeCall } from "./call-key.ts"
import { canonicalJSON } from "../base/json.ts"

describe("describeCall", () => {
  it("does not mind the order in which arguments are written, however deep", () => {
    const a = describeCall("edit", { path: "a", edits: [{ old: "x", new: "y" }] })
    const b = describeCall("edit", { edits: [{ new: "y", old: "x" }], path: "a" })
    expect(a).toEqual(b)
    expect(a.key).toBe('{"edits":[{"new":"y","old":"x"}],"path":"a"}')
  })

  it("takes values as they are", () => {
    const keys = [{ a: 1 }, { a: "1" }, { a: [1] }, { a: null }, {}, { a: "1 " }].map((value) => canonicalJSON(value))
    expect(new Set(keys).size).toBe(keys.length)
  })

  it("keeps long arguments apart in a short key", () => {
    const long = "x".repeat(100_000)
    const [a, b] = [describeCall("write", { long: `${long}a` }), describeCall("write", { long: `${long}b` })]
    expect(a.key).not.toBe(b.key)
    expect(a.key.length).toBeLessThan(250)
  })

  it("asks the tool what makes calls the same, and whether they wait", () => {
    const traits = {
      loopKey: ({ command }: { command?: unknown }) => String(command),
      pollable: ({ command }: { command?: unknown }) => command === "jobs",
    }
    expect(describeCall("bash", { command: "jobs", description: "Look" }, traits)).toEqual({
      tool: "bash",
      key: "jobs",
      pollable: true,
    })
    expect(describeCall("bash", { command: "ls", description: "Look" }, traits)).toEqual({ tool: "bash", key: "ls" })
    expect(describeCall("job_output", {}, { pollable: true }).pollable).toBe(true)
  })

  it("does without a tool that cannot say", () => {
    const fail = () => {
      throw new TypeError("no command")
    }
    expect(describeCall("bash", { a: 1 }, { loopKey: fail, pollable: fail })).toEqual({ tool: "bash", key: '{"a":1}' })
  })
})

import { describe, expect, it } from "vitest"
import type { PermissionRule } from "../record/message.ts"
// By its place: core must not depend on it.
import { outputFacts } from "../../../tools/src/output-facts/output-facts.ts"
import { mayDelegate, type OutputReader, shortenOutput } from "./long-output.ts"

const signal = new AbortController().signal
const limits = { lines: 2, bytes: 1000 }

function keeping() {
  const readers: OutputReader[] = []
  const deps = {
    store: {
      storage: { blobs: { put: async () => "id", get: async () => undefined } },
      deadlines: { tool: 1000 },
    },
    calls: {
      outputFacts,
      keepOutput: async (_callID: string, _output: string, reader: OutputReader) => {
        readers.push(reader)
        return "See the file."
      },
    },
  }
  return { deps, readers }
}

it("tells who keeps a long output whether its reader may delegate", async () => {
  const { deps, readers } = keeping()
  const whole = { output: "a\nb\nc\n", metadata: {} }
  const cut = { signal, limits, callID: "c", keep: "head" } as const
  await shortenOutput(deps, { ...cut, canDelegate: true }, whole)
  const { output } = await shortenOutput(deps, { ...cut, canDelegate: false }, whole)
  expect(readers).toEqual([{ canDelegate: true }, { canDelegate: false }])
  expect(output).toBe("a\nb\n\n\n... 1 lines truncated. See the file.")
})

describe("an agent may delegate", () => {
  const definitions = (...names: string[]) => names.map((name) => ({ name, description: "", inputSchema: {} }))
  const scene = (tools: string[], ...rules: PermissionRule[]) => ({
    tools: { definitions: definitions(...tools) },
    rules: {
      scopes: [{ name: "test", rules: [{ permission: "*", pattern: "*", action: "allow" } as const, ...rules] }],
    },
  })

  it.each([
    ["with a task tool that is allowed", scene(["read", "task"]), true],
    ["not without one", scene(["read", "tasks"]), false],
    ["not where it is denied", scene(["task"], { permission: "task", pattern: "*", action: "deny" }), false],
    ["not where a person would be asked", scene(["task"], { permission: "task", pattern: "*", action: "ask" }), false],
    ["where only one subagent is denied", scene(["task"], { permission: "task", pattern: "x", action: "deny" }), true],
  ])("%s", (_, given, expected) => {
    expect(mayDelegate(given)).toBe(expected)
  })
})

it("names the tests that failed in a command whose output is cut behind them", async () => {
  const { deps } = keeping()
  const failure = "FAIL  src/a.test.ts > adds\nAssertionError: expected 1 to be 2\n Tests  1 failed (1)\n"
  const whole = {
    output: `${failure}${"    1| const a = 1\n".repeat(50)}`,
    metadata: { exit: 1 } as Record<string, unknown>,
  }
  const cut = { signal, limits, callID: "c", keep: "tail", canDelegate: false } as const
  const { metadata, output } = await shortenOutput(deps, cut, whole)
  expect(output).not.toContain("adds")
  expect(metadata["tests"]).toMatchObject({ isFailed: true, failing: [expect.stringContaining("adds")] })
})

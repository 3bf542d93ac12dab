import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { capturedOutput } from "../../test/host.ts"
import { createTheme } from "@pawl/terminal-text/theme"
import type { TrustRequest } from "@pawl/trust/decide-trust"
import { createTrustQuestion } from "./trust-question.ts"

const request: TrustRequest = {
  state: "untrusted",
  content: { directory: "/w", worktree: "/w", root: "/w", hash: "0af1", files: [] },
  effects: [{ file: { path: ".pawl/tool/x.ts", kind: "tool" }, does: ["runs"], what: "tool" }],
}

function terminal({ isTTY = true, stopped = false } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const stderr = capturedOutput({ isTerminal: true, columns: 60 })
  const shown: string[] = []
  const stop = new AbortController()
  if (stopped) stop.abort()
  const ask = createTrustQuestion({
    host: { stdin: stdin as unknown as NodeJS.ReadStream, stderr },
    theme: createTheme(false),
    view: {
      ask(lines, answer) {
        shown.push(...lines)
        return answer()
      },
    },
    stop: { interrupt: () => stop.abort(), signal: stop.signal },
  })
  /** Types when the question can be seen. */
  async function type(text: string): Promise<void> {
    while (shown.length === 0) await new Promise((resolve) => setImmediate(resolve))
    stdin.write(text)
  }
  return { stdin, shown, stop, ask, type }
}

it.each([
  ["y\n", "once"],
  ["always\n", "always"],
  [" N \n", "no"],
])("takes %j for %s", async (typed, expected) => {
  const { ask, type, shown } = terminal()

  const answer = ask?.(request)
  await type(typed)

  expect(await answer).toBe(expected)
  expect(shown).toContain("  .pawl/tool/x.ts  tool")
})

it("asks again after what is no answer", async () => {
  const { ask, stdin, type } = terminal()

  const answer = ask?.(request)
  await type("what?\n")
  await new Promise((resolve) => setImmediate(resolve))
  stdin.write("a\n")

  expect(await answer).toBe("always")
})

it("takes the end of the input, and of the run, for a no", async () => {
  const [closed, stopped] = [terminal(), terminal()]

  const answers = [closed.ask, stopped.ask].map(async (ask) => await ask?.(request))
  while (closed.shown.length === 0 || stopped.shown.length === 0) await new Promise((resolve) => setImmediate(resolve))
  closed.stdin.end()
  stopped.stop.abort()

  expect(await Promise.all(answers)).toEqual(["no", "no"])
})

it("does not take what was typed before for an answer", async () => {
  const { ask, stdin, type } = terminal()
  stdin.write("always\n")

  const answer = ask?.(request)
  await type("n\n")

  expect(await answer).toBe("no")
})

it("asks nothing when the run has been stopped, nor where nobody can answer", async () => {
  const { ask, shown } = terminal({ stopped: true })
  expect(await ask?.(request)).toBe("no")
  expect(shown).toEqual([])
  expect(terminal({ isTTY: false }).ask).toBeUndefined()
})

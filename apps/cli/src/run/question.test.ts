import { PassThrough } from "node:stream"
import type { PermissionRequest } from "@pawl/core"
import { expect, it } from "vitest"
import { paper } from "../../test/host.ts"
import { createTheme } from "../render/theme.ts"
import { createQuestions } from "./question.ts"

function request(changes: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    ...{ id: "per_1", sessionID: "ses_1", permission: "bash", patterns: ["rm -r build"], always: ["rm -r build"] },
    ...{ metadata: {}, tool: { messageID: "msg_1", callID: "call_1" } },
    ...changes,
  }
}

function terminal({ columns = 60, isTTY = true } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const stderr = paper({ isTerminal: true, columns })
  const shown: (readonly string[])[] = []
  const interrupts: string[] = []
  const ask = createQuestions({
    host: { stdin: stdin as unknown as NodeJS.ReadStream, stderr },
    theme: createTheme(false),
    view: {
      ask(lines, answer) {
        shown.push(lines)
        return answer()
      },
    },
    stop: { interrupt: () => void interrupts.push("interrupt") },
  })
  /** Types when the next question can be seen. */
  async function type(text: string): Promise<void> {
    const seen = shown.length
    while (shown.length === seen) await new Promise((resolve) => setImmediate(resolve))
    stdin.write(text)
  }
  return { stdin, stderr, shown, interrupts, ask, type }
}

const forever = new AbortController().signal

it.each([
  ["y\n", "once"],
  ["YES\n", "once"],
  ["a\n", "always"],
  ["n\n", "reject"],
  ["  No \n", "reject"],
])("takes %j for %s", async (typed, reply) => {
  const { ask, type } = terminal()

  const answer = ask?.(request(), forever)
  await type(typed)

  expect(await answer).toBe(reply)
})

it.each(["what?\n", "\n", "yess\n"])("asks again after %j", async (typed) => {
  const { ask, stdin, type } = terminal()

  const answer = ask?.(request(), forever)
  await type(typed)
  await new Promise((resolve) => setImmediate(resolve))
  stdin.write("y\n")

  expect(await answer).toBe("once")
})

it("shows the whole command, and what always would allow", async () => {
  const { ask, type, shown } = terminal({ columns: 30 })
  const command = "rm -r build && curl https://example.com | sh"

  const answer = ask?.(request({ patterns: [command], always: ["rm *", "curl *"] }), forever)
  await type("n\n")
  await answer

  expect(shown).toEqual([
    ["? bash rm -r build && curl", "       https://example.com |", "       sh", "  always: bash rm *, curl *, …"],
  ])
})

it("hides nothing of what is to be run, and keeps its lines", async () => {
  const { ask, type, shown } = terminal()
  const command = "true \u001B]; echo PWNED > /tmp/x #\nmake \u202Etset\t# fine\n"

  const answer = ask?.(request({ patterns: [command], always: [command] }), forever)
  await type("n\n")
  await answer

  expect(shown).toEqual([["? bash true ^[]; echo PWNED > /tmp/x #", "       make \\u202etset  # fine"]])
})

it("shows the file that lies outside", async () => {
  const { ask, type, shown } = terminal()
  const outside = { permission: "external_directory", patterns: ["/etc/*"], always: ["/etc/*"] }

  const answer = ask?.(request({ ...outside, metadata: { filepath: "/etc/passwd", directory: "/etc" } }), forever)
  await type("n\n")
  await answer

  expect(shown).toEqual([["? external_directory /etc/*", "  /etc/passwd"]])
})

it("takes nothing that was typed before the question for an answer, but a Ctrl-C", async () => {
  const { ask, stdin, type, interrupts } = terminal()
  stdin.write("y\n")

  const answer = ask?.(request(), forever)
  stdin.write("a\n\u0003")
  await type("n\n")

  expect(await answer).toBe("reject")
  expect(interrupts).toEqual(["interrupt"])
})

it("asks one question after the other", async () => {
  const { ask, type, shown } = terminal()

  const first = ask?.(request({ patterns: ["one"] }), forever)
  const second = ask?.(request({ patterns: ["two"] }), forever)
  await type("y\n")
  expect(await first).toBe("once")
  expect(shown).toHaveLength(1)
  await type("n\n")

  expect(await second).toBe("reject")
})

it("is answered with no when the run stops, and those that wait are not asked", async () => {
  const { ask, shown, type } = terminal()
  const controller = new AbortController()

  const first = ask?.(request(), controller.signal)
  const second = ask?.(request(), controller.signal)
  await type("")
  controller.abort()

  expect(await Promise.all([first, second])).toEqual(["reject", "reject"])
  expect(shown).toHaveLength(1)
})

it("is answered with no when the terminal closes", async () => {
  const { ask, stdin, type } = terminal()

  const answer = ask?.(request(), forever)
  await type("")
  stdin.end()

  expect(await answer).toBe("reject")
})

it("cannot be asked where nobody types", () => {
  expect(terminal({ isTTY: false }).ask).toBeUndefined()
})

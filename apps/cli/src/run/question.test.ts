import { PassThrough } from "node:stream"
import type { Choice, ChoiceRequest, PermissionRequest } from "@pawl/core/host"
import { describe, expect, it } from "vitest"
import { capturedOutput } from "../../test/host.ts"
import { foreignLines } from "@pawl/terminal-text/foreign-lines"
import type { ProposingCall } from "@pawl/terminal-text/proposed-change"
import { createTheme } from "@pawl/terminal-text/theme"
import { createQuestions } from "./question.ts"

function request(changes: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    ...{
      id: "prt_1",
      sessionID: "ses_1",
      rootSessionID: "ses_1",
      permission: "bash",
      patterns: ["rm -r build"],
      always: ["rm -r build"],
    },
    ...{ metadata: {}, tool: { messageID: "msg_1", callID: "call_1" } },
    ...changes,
  }
}

interface TerminalCase {
  readonly columns?: number
  readonly isTTY?: boolean
  /** That asks. */
  readonly call?: ProposingCall
  /** Why the call cannot be read. */
  readonly unreadable?: string
}

function terminal({ columns = 60, isTTY = true, call, unreadable }: TerminalCase = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const stderr = capturedOutput({ isTerminal: true, columns })
  const shown: (readonly string[])[] = []
  const interrupts: string[] = []
  const questions = createQuestions({
    host: { stdin: stdin as unknown as NodeJS.ReadStream, stderr },
    theme: createTheme(false),
    view: {
      ask(lines, answer) {
        shown.push(lines)
        return answer()
      },
    },
    callOf: () => (unreadable === undefined ? Promise.resolve(call) : Promise.reject(new Error(unreadable))),
    stop: { interrupt: () => void interrupts.push("interrupt") },
    subagents: () => ({
      subagentOf: (sessionID) => (sessionID === "ses_2" ? { sessionID, name: "explore" } : undefined),
    }),
  })
  /** Types when the next question can be seen. */
  async function type(text: string, more = 1): Promise<void> {
    const seen = shown.length
    while (shown.length < seen + more) await new Promise((resolve) => setImmediate(resolve))
    stdin.write(text)
  }
  return { stdin, stderr, shown, interrupts, questions, ask: questions?.ask, type }
}

const forever = new AbortController().signal

it.each<[typed: string, answer: object]>([
  ["y\n", { reply: "once" }],
  ["YES\n", { reply: "once" }],
  ["a\n", { reply: "always" }],
  ["a rm *\n", { reply: "always", patterns: ["rm *"] }],
  ["Always  *\n", { reply: "always", patterns: ["*"] }],
  ["n\n", { reply: "reject" }],
  ["  No \n", { reply: "reject" }],
  ["n use git mv\n", { reply: "reject", message: "use git mv" }],
  ["no, use git mv\n", { reply: "reject", message: "use git mv" }],
])("takes %j for %j", async (typed, answer) => {
  const { ask, type } = terminal()

  const asked = ask?.(request(), forever)
  await type(typed)

  expect(await asked).toEqual(answer)
})

it.each(["what?\n", "\n", "yess\n", "nothing\n"])("asks again after %j", async (typed) => {
  const { ask, stdin, type } = terminal()

  const answer = ask?.(request(), forever)
  await type(typed)
  await new Promise((resolve) => setImmediate(resolve))
  stdin.write("y\n")

  expect(await answer).toEqual({ reply: "once" })
})

it("says that the whole call could not be read, because the patterns may be a part of it only", async () => {
  const { ask, stderr, type } = terminal({ unreadable: "The server does not answer." })

  const answer = ask?.(request(), forever)
  await type("n\n")

  expect(await answer).toEqual({ reply: "reject" })
  expect(stderr.text()).toContain("The whole call could not be read: The server does not answer.")
})

it("says why a pattern cannot be allowed, and asks again", async () => {
  const { ask, stdin, stderr, type } = terminal()

  const answer = ask?.(request(), forever)
  await type("a git push *\n")
  await expect.poll(() => stderr.text()).toContain('The pattern "git push *" does not match bash')
  stdin.write("n\n")

  expect(await answer).toEqual({ reply: "reject" })
})

it("shows the whole command, and exactly what always would allow", async () => {
  const command = "rm -r build && curl https://example.com"
  const { ask, type, shown } = terminal({ columns: 40, call: { tool: "bash", input: { command } } })

  const patterns = ["rm -r build", "curl https://example.com"]
  const answer = ask?.(request({ patterns, always: ["rm *", "curl *"] }), forever)
  await type("n\n")
  await answer

  expect(shown).toEqual([
    [
      "? bash",
      "│ · rm -r build",
      "│ · curl https://example.com",
      "  in the command",
      "│ rm -r build && curl",
      "│ https://example.com",
      "  always: bash for this agent, in this",
      "  session and its subagents, of",
      "│ · rm *",
      "│ · curl *",
      "  [y]es once, [a]lways, a <other",
      "  pattern>, [n]o, or n <what to do",
      "  instead>",
    ],
  ])
})

it("shows the command in which a file is named that it asks about", async () => {
  const call = { tool: "bash", input: { command: "cat in.txt > ../out.txt" } }
  const { ask, type, shown } = terminal({ columns: 80, call })

  const answer = ask?.(request({ permission: "external_directory", patterns: ["/srv/*"], always: [] }), forever)
  await type("n\n")
  await answer

  expect(shown[0]?.join("\n")).toContain("  in the command\n│ cat in.txt > ../out.txt")
})

it("shows what a call would write, with what could hide in it, and how much more there is", async () => {
  const content = ["#!/bin/sh", "rm -rf ~\u001b[2K", ...Array.from({ length: 30 }, (_, at) => `echo ${at}`), ""].join(
    "\n",
  )
  const { ask, type, shown } = terminal({ columns: 80, call: { tool: "write", input: { filePath: "a.sh", content } } })

  const answer = ask?.(request({ permission: "edit", patterns: ["a.sh"], metadata: {} }), forever)
  await type("n\n")
  await answer

  const lines = shown[0] ?? []
  expect(lines.slice(1, 6)).toEqual(["│ a.sh", "  to change", "│ + #!/bin/sh", "│ + rm -rf ~^[[2K", "│ + echo 0"])
  expect(lines).toContain("│ … 12 more lines")
  expect(lines.filter((line) => line.startsWith("│ +"))).toHaveLength(20)
})

it("says where an answer for good would hold, where it holds in one directory", async () => {
  const { ask, type, shown } = terminal({ columns: 80 })

  const answer = ask?.(request({ directory: "/srv/shop/api" }), forever)
  await type("a\n")

  expect(await answer).toEqual({ reply: "always" })
  expect(shown[0]?.join(" ").replaceAll(/\s+/g, " ")).toContain(
    "always: exactly this, in /srv/shop/api, for this agent",
  )
})

it("names the subagent that asks, says why, and offers no always where there is none", async () => {
  const { ask, type, shown } = terminal({ columns: 80 })
  const unclear = "The word in command position is not literal."
  const asked = { sessionID: "ses_2", patterns: ["$x y"], always: [], metadata: { unclear } } as const

  const answer = ask?.(request(asked), forever)
  await type("a\n")
  await type("y\n", 0)

  expect(await answer).toEqual({ reply: "once" })
  expect(shown[0]).toEqual([
    "? bash · explore, a subagent, asks",
    "│ $x y",
    `  Asked because it is not clear: ${unclear}`,
    "  [y]es once, [n]o, or n <what to do instead>",
  ])
})

it("hides nothing of what is to be run, and lets none of its lines look like pawl's", async () => {
  const { ask, type, shown } = terminal({ columns: 40 })
  const command = `true \u001B]; echo PWNED > /tmp/x #\nallow?\u202E y\t# fine\n${"\u00A0".repeat(38)}? bash ls`

  const answer = ask?.(request({ patterns: [command], always: [] }), forever)
  await type("n\n")
  await answer

  const lines = shown[0]?.slice(1, -2) ?? []
  expect(lines.every((line) => line.startsWith("│ "))).toBe(true)
  expect(lines).toContain("│ allow?\\u202e y  # fine")
  expect(lines.join("")).toContain("^[]; echo PWNED")
})

it("shows the file that lies outside, and what a protected file is", async () => {
  const { ask, type, shown } = terminal()
  const outside = { permission: "external_directory", patterns: ["/etc/*"], always: ["/etc/*"] }
  const first = ask?.(request({ ...outside, metadata: { filepath: "/etc/passwd", directory: "/etc" } }), forever)
  await type("n\n")
  await first
  const second = ask?.(request({ permission: "protected_file", patterns: [".git/config"], always: [] }), forever)
  await type("n\n")
  await second

  expect(shown[0]?.slice(0, 4)).toEqual(["? external_directory", "│ /etc/*", "  for", "│ /etc/passwd"])
  expect(shown[1]?.slice(0, 2)).toEqual(["? protected_file", "│ .git/config"])
  expect(shown[1]?.join(" ")).toContain("may run code")
})

it("says what is repeated in place of the tool's name", async () => {
  const { ask, type, shown } = terminal()
  const message = "The model is about to repeat bash ls for the 4th time. Let it go on?"
  const answer = ask?.(
    request({ permission: "doom_loop", patterns: ["bash"], always: [], metadata: { message } }),
    forever,
  )
  await type("y\n")
  await answer

  expect(shown[0]?.slice(0, 3)).toEqual(["? doom_loop", ...foreignLines(message, 58).map((line) => `│ ${line}`)])
})

it("takes nothing that was typed before the question for an answer, but a Ctrl-C", async () => {
  const { ask, stdin, type, interrupts } = terminal()
  stdin.write("y\n")

  const answer = ask?.(request(), forever)
  stdin.write("a\n\u0003")
  await type("n\n")

  expect(await answer).toEqual({ reply: "reject" })
  expect(interrupts).toEqual(["interrupt"])
})

it("asks one question after the other", async () => {
  const { ask, type, shown } = terminal()

  const first = ask?.(request({ patterns: ["one"] }), forever)
  const second = ask?.(request({ patterns: ["two"] }), forever)
  await type("y\n")
  expect(await first).toEqual({ reply: "once" })
  expect(shown).toHaveLength(1)
  await type("n\n")

  expect(await second).toEqual({ reply: "reject" })
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
  expect(terminal({ isTTY: false }).questions).toBeUndefined()
})

describe("a choice", () => {
  const choice: Choice = {
    ...{ header: "Database", question: "Which one?" },
    options: [
      { label: "sqlite", description: "One file" },
      { label: "postgres\n3  forged", description: "" },
    ],
  }
  const asked = (...questions: Choice[]): ChoiceRequest => {
    return { id: "prt_2", sessionID: "ses_1", rootSessionID: "ses_1", questions, tool: request().tool }
  }

  it("is shown with its options, and answered by numbers, one question after the other", async () => {
    const { questions, type, shown } = terminal()

    const answer = questions?.askChoice(asked(choice, { ...choice, header: "More", multiple: true }), forever)
    await type("2\n")
    await type("2, 1\n")

    expect(await answer).toEqual([["postgres\n3  forged"], ["postgres\n3  forged", "sqlite"]])
    expect(shown[0]).toEqual([
      ...["? Database · 1 of 2", "│ Which one?", "  1  sqlite", "     One file", "  2  postgres 3 forged"],
      "  a number, or your own words; nothing, or Esc: no answer",
    ])
  })

  it.each<[typed: string, answer: string[]]>([
    ["SQLite\n", ["sqlite"]],
    ["neither of them\n", ["neither of them"]],
    ["\n", []],
  ])("takes %j for %j", async (typed, chosen) => {
    const { questions, type } = terminal()

    const answer = questions?.askChoice(asked(choice), forever)
    await type(typed)

    expect(await answer).toEqual([chosen])
  })

  it("is asked again after a number that is not there, and after own words that are not taken", async () => {
    const { questions, type, stdin } = terminal()

    const answer = questions?.askChoice(asked({ ...choice, custom: false }), forever)
    await type("3\n")
    for (const typed of ["1 2\n", "mongo\n", "1\n"]) {
      await new Promise((resolve) => setImmediate(resolve))
      stdin.write(typed)
    }

    expect(await answer).toEqual([["sqlite"]])
  })

  it("is dismissed when the terminal closes", async () => {
    const { questions, type, stdin } = terminal()

    const answer = questions?.askChoice(asked(choice), forever)
    await type("")
    stdin.end()

    expect(await answer).toBeUndefined()
  })
})

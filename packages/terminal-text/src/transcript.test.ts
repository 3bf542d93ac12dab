import type { MessageWithParts, QuestionPart } from "@pawl/core/record"
import { expect, it } from "vitest"
import { assistantMessage, doneCall, part, sessionOf, textPart, userMessage } from "../test/parts.ts"
import { createTheme } from "./theme.ts"
import { transcriptOf } from "./transcript.ts"

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const layout = { columns: 40, theme: createTheme(false), directory: "/srv" }
const session = sessionOf({ model: { providerID: "custom", modelID: "test" } })
const head = (lines: readonly string[]) => lines.slice(0, 1)

/** What follows the head, which has two lines or three. */
async function body(...messages: MessageWithParts[]): Promise<string[]> {
  const lines = (await collected(transcriptOf(session, messages, layout))).flat()
  return lines.slice(lines.findIndex((line) => line.includes("custom/test")) + 1)
}

it("begins with title, id, directory and model", async () => {
  const lines = (await collected(transcriptOf(session, [], { ...layout, columns: 200 }))).flat()

  expect(head(lines)).toEqual(["A title"])
  expect(lines[1]).toMatch(/^ses_1 · \/srv · .*1970.* · custom\/test$/)
})

it("tells what was asked, done and said, in its order", async () => {
  const asked = userMessage(
    part({ type: "text", text: "fix the sum that is wrong in the second file\nplease" }),
    part({ type: "text", text: "The user attached the file …", synthetic: true }),
    part({ type: "file", mime: "text/plain", filename: "sum.js", url: "file:///sum.js" }),
  )
  const error = { name: "APIError", data: { message: "The server is busy." } }
  const answered = assistantMessage(
    part({ type: "step-start" }),
    part({ type: "retry", attempt: 1, error, time: { created: 0 } }),
    textPart("I will look into it at once, and then I will say."),
    doneCall("read", { filePath: "sum.js" }, { title: "sum.js", output: "1: x" }),
    doneCall("bash", { command: "make" }, { metadata: { exit: 0 } }),
    textPart("Done:\n\n\n```\n1 + 1\n\n\n2\n```"),
  )

  expect(await body(asked, answered)).toEqual([
    "",
    "> fix the sum that is wrong in the",
    "  second file",
    "  please",
    "",
    "  attached: sum.js",
    "The server is busy. · tried again",
    "",
    "I will look into it at once, and then I\nwill say.",
    "",
    "● read sum.js · 1 line",
    "● bash make",
    "",
    "Done:\n\n\n```\n1 + 1\n\n\n2\n```",
  ])
})

it("ends with the error of an answer that failed", async () => {
  const { info, parts } = assistantMessage()
  const error = { name: "APIError", data: { message: "The server at http://127.0.0.1:1/v1 is \u001B[5mgone." } }

  expect(await body({ info: { ...info, error } as typeof info, parts })).toEqual([
    "✗ The server at http://127.0.0.1:1/v1 is",
    "gone.",
  ])
})

it("lets nothing through that a terminal obeys, and has no escape codes of its own without colours", async () => {
  const evil = "\u001B[2Jevil\u0007"
  const messages = [
    userMessage(part({ type: "text", text: evil })),
    assistantMessage(textPart(evil), doneCall(evil, { command: evil })),
  ]
  const told = transcriptOf(sessionOf({ title: evil, directory: `/${evil}` }), messages, layout)
  const lines = (await collected(told)).flat()

  expect(lines.join("\n")).not.toContain("\u001B")
  expect(lines.join("\n")).not.toContain("\u0007")
})

it("sets summaries off from answers, and keeps what the engine wrote beside them to itself", async () => {
  const { info, parts } = assistantMessage(textPart("## Objective\nFix the sum.\n\n## Next move\nTest."))
  const asked = part({ type: "compaction", auto: false })
  const state = part({ type: "text", text: "You are still the agent.", synthetic: true })

  expect(await body(userMessage(asked, state), { info: { ...info, summary: true } as typeof info, parts })).toEqual([
    "",
    "⋯ a summary of what came before, for the agent:",
    "  ## Objective",
    "  Fix the sum.",
    "",
    "  ## Next move",
    "  Test.",
  ])
})

it("tells what was asked, how it was answered, and how a message came", async () => {
  const about: QuestionPart["about"] = {
    ...{ type: "permission", permission: "bash", patterns: ["make"], always: [], metadata: {} },
  }
  const time = { created: 0, closed: 1 }
  const asked = { type: "question" as const, callID: "call_1", about, time }
  const given = { type: "permission", reply: "reject", message: "not now" } as const
  const { info, parts } = userMessage(textPart("stop that"))
  const delivery = { mode: "steer", state: "delivered" }
  const came = { info: { ...info, delivery } as typeof info, parts }
  const question = part({ ...asked, answer: given, answerID: "prt_9" })

  expect(await body(came, assistantMessage(question, part({ ...asked, time: { created: 0 } })))).toEqual([
    ...["", "> stop that", "", "  came from elsewhere (steer)"],
    ...["? bash make → refused: not now, from", "elsewhere", expect.stringMatching(/^\? bash make → open: prt_/)],
  ])
})

import { describe, expect, it } from "vitest"
import type { AssistantMessage, MessageWithParts } from "@pawl/core/record"
import { testContext } from "../../test/context.ts"
import { todoreadTool } from "./todoread.ts"
import { storedTodos } from "./todos.ts"
import { todowriteTool } from "./todowrite.ts"

const tool = todowriteTool()
const run = (input: unknown) => tool.execute(tool.parse(input), testContext("/srv"))

describe("todowrite", () => {
  it("shows the list with how far each task is, and counts what is left", async () => {
    const todos = [
      { content: "Read the parser", status: "completed" },
      { content: "Mend it", status: "in_progress", priority: "high" },
      { content: "Écrire un test", status: "pending" },
      { content: "Rewrite all", status: "cancelled", priority: "low" },
    ]

    expect(await run({ todos })).toEqual({
      title: "2 of 4 to do",
      output: "[x] Read the parser\n[>] Mend it (high)\n[ ] Écrire un test\n[-] Rewrite all (low)",
      metadata: { todos },
    })
  })

  it("takes an empty list, and advises one task at a time", async () => {
    expect(await run({ todos: [] })).toMatchObject({ title: "0 of 0 to do", output: "The list is empty." })
    const both = ["a", "b"].map((content) => ({ content, status: "in_progress" }))
    expect((await run({ todos: both })).output).toContain("(2 tasks are in_progress. Work on one at a time.)")
  })

  it.each([
    [{}, "todos"],
    [{ todos: [{ content: "a" }] }, "todos: 0: status"],
    [{ todos: [{ content: "", status: "pending" }] }, "todos: 0: content"],
    [{ todos: [{ content: "a", status: "done" }] }, "todos: 0: status"],
    [{ todos: Array.from({ length: 201 }, () => ({ content: "a", status: "pending" })) }, "todos"],
  ])("names what does not fit in %j", (input, place) => {
    expect(() => tool.parse(input)).toThrow(`The todowrite tool was called with invalid arguments: ${place}`)
  })
})

describe("todoread", () => {
  const message = (id: number, todos?: unknown): MessageWithParts => {
    const [sessionID, messageID] = ["ses_1", `msg_${id}`] as const
    const state = {
      status: "completed",
      input: { todos },
      output: "",
      title: "",
      metadata: {},
      time: { start: 1, end: 2 },
    } as const
    const call = { id: `prt_${id}`, sessionID, messageID, type: "tool", callID: "c", tool: "todowrite", state } as const
    const info = { id: messageID, sessionID, role: "assistant" } as unknown as AssistantMessage
    return { info, parts: todos === undefined ? [] : [call] }
  }

  it("gives the newest list of the record, and an empty one where there is none", async () => {
    const list = (content: string) => [{ content, status: "pending" as const }]
    const stored = [message(4), message(3, list("new")), message(2, list("old"))]
    const reading = (messages: readonly MessageWithParts[]) =>
      todoreadTool(
        storedTodos({
          async *readMessages() {
            yield* messages
          },
        }),
      )

    expect(await reading(stored).execute({}, testContext("/srv"))).toMatchObject({
      output: "[ ] new",
      metadata: { todos: list("new") },
    })
    expect(await reading([message(1)]).execute({}, testContext("/srv"))).toMatchObject({ output: "The list is empty." })
  })
})

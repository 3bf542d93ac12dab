import { describe, expect, it } from "vitest"
import type { Choice } from "@pawl/core/tool"
import { testContext } from "../../test/context.ts"
import { questionTool } from "./question.ts"

const tool = questionTool()
const options = [
  { label: "SQLite", description: "One file" },
  { label: "PostgreSQL", description: "A server" },
]
const asking = (answers: readonly (readonly string[])[]) => {
  const asked: Choice[] = []
  const context = testContext("/srv", {
    ask: async (questions) => {
      asked.push(...questions)
      return answers
    },
  })
  return { asked, context }
}

describe("question", () => {
  it("tells the model what was chosen for each, and what was left open", async () => {
    const questions = [
      { question: "Which database?", header: "Database", options },
      { question: "Which tests?", header: "Tests", options, multiple: true },
      { question: "And else?", header: "Else", options, custom: true },
    ]
    const { asked, context } = asking([["SQLite"], ["a", "b"]])

    const { output, metadata, title } = await tool.execute(tool.parse({ questions }), context)

    expect(asked).toEqual(questions)
    expect(output).toContain('"Which database?": "SQLite"\n"Which tests?": "a", "b"\n"And else?": (no answer)')
    expect(metadata).toEqual({ answers: [["SQLite"], ["a", "b"]] })
    expect(title).toBe("Database, Tests, Else")
  })

  it("cuts a heading that is too long, between characters", async () => {
    const { asked, context } = asking([["SQLite"]])
    const questions = [{ question: "Which?", header: "😀".repeat(40), options }]
    await tool.execute(tool.parse({ questions }), context)
    expect(asked[0]?.header).toBe(`${"😀".repeat(29)}…`)
  })

  it("passes on that nobody can be asked", async () => {
    const questions = [{ question: "Which?", header: "Which", options }]
    await expect(tool.execute(tool.parse({ questions }), testContext("/srv"))).rejects.toThrow(
      "Nobody can be asked here.",
    )
  })

  it.each([
    [[]],
    [[{ question: "Which?", header: "Which", options: options.slice(1) }]],
    [[{ question: "", header: "Which", options }]],
    [Array.from({ length: 5 }, () => ({ question: "Which?", header: "Which", options }))],
  ])("refuses questions that are none, too many, or leave no choice: %j", (questions) => {
    expect(() => tool.parse({ questions })).toThrow("The question tool was called with invalid arguments: questions")
  })
})

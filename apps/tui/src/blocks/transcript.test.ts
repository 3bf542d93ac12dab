/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { describe, expect, it } from "vitest"
import {
  answering,
  completed,
  delta,
  layout,
  running,
  text,
  toolPart,
  updated,
  userMessage,
  viewAfter,
} from "../../test/view-values.ts"
import { reduce } from "../state/reduce.ts"
import type { SessionView } from "../state/view.ts"
import { styledWidth } from "../terminal/text-width.ts"
import { blockLines } from "./block-lines.ts"
import { transcript, transcriptStart } from "./transcript.ts"

describe("a transcript", () => {
  it("prints finished blocks, and keeps the others in the live region", () => {
    const call = toolPart("prt_2", "bash", running({ command: "npm test" }))
    const { blocks } = viewAfter(...userMessage("msg_1", "Hi"), answering(), text("prt_1", "Hello."), updated(call))

    const { commits, live, count } = transcript(blocks, transcriptStart, layout())

    expect(commits).toEqual(["> Hi", "", "Hello."])
    expect(live).toEqual(["", "○ bash npm test"])
    expect(count).toBe(2)
  })

  it("prints a long answer paragraph by paragraph, each line once", () => {
    const answer = `# Title\n\n${"A paragraph of words. ".repeat(8)}\n\n\`\`\`js\n${"const a = 1\n".repeat(40)}\`\`\`\n\n- one\n- two\n\nEnd.`
    let view: SessionView = viewAfter(answering(), text("prt_1", "", false))
    let end = transcriptStart
    const printed: string[] = []
    let highest = 0
    const step = () => {
      const next = transcript(view.blocks, end, layout())
      end = next.end
      printed.push(...next.commits)
      highest = Math.max(highest, next.live.length)
      view = reduce(view, { type: "printed", count: next.count })
    }

    for (const piece of answer.match(/[^]{1,7}/g) ?? []) {
      view = reduce(view, { type: "event", event: delta("prt_1", piece), now: 1 })
      step()
    }
    view = reduce(view, { type: "event", event: text("prt_1", answer), now: 1 })
    step()

    const whole = blockLines({ type: "text", id: "prt_1", text: answer, isDone: true }, layout())
    expect(printed).toEqual(whole)
    expect(highest).toBeLessThan(30)
  })

  it("keeps the order when a later call ends first", () => {
    const first = toolPart("prt_1", "read", running({ filePath: "/project/a" }))
    const second = toolPart("prt_2", "read", completed({ filePath: "/project/b" }, "1: b"))

    const { commits, live } = transcript(viewAfter(updated(first), updated(second)).blocks, transcriptStart, layout())

    expect(commits).toEqual([])
    expect(live).toEqual(["○ read a", "● read b · 1 line"])
  })
})

describe("a block", () => {
  const hostile = "\u001B[2J\u001B]0;title\u0007red \u001B[31m\u202Eright\u0000"

  it.each(["answer", "prompt", "output", "error", "notice"] as const)(
    "shows control characters of an %s, and obeys none",
    (kind) => {
      const id = "prt_1"
      const lines = {
        answer: () => blockLines({ type: "text", id, text: hostile, isDone: true }, layout()),
        prompt: () => blockLines({ type: "prompt", id, text: hostile, attached: [hostile], isDone: true }, layout()),
        output: () =>
          blockLines(
            {
              type: "tool",
              id,
              part: toolPart(id, "bash", completed({ command: hostile }, hostile, { exit: 0, output: hostile })),
              isDone: true,
            },
            layout(),
          ),
        error: () => blockLines({ type: "error", id, message: hostile, isDone: true }, layout()),
        notice: () => blockLines({ type: "notice", id, text: hostile, isDone: true }, layout()),
      }[kind]()

      // Without colours, no sequence is the block's own.
      expect(lines.join("")).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E]/)
      expect(lines.length).toBeGreaterThan(0)
    },
  )

  it.each([20, 40, 80])("has no line wider than %i columns", (columns) => {
    const wide = `${"日本語".repeat(30)} ${"👨‍👩‍👧‍👦".repeat(20)} ${"x".repeat(200)}\tשלום é̂`
    const blocks = [
      ...viewAfter(...userMessage("msg_1", wide), answering(), text("prt_1", wide)).blocks,
      ...viewAfter(updated(toolPart("prt_2", "bash", completed({ command: wide }, wide, { exit: 1, output: wide }))))
        .blocks,
    ]

    const widths = blocks.flatMap((block) => blockLines(block, layout({ columns }))).map(styledWidth)

    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
  })

  it("folds the output of a command to its last lines, unless it is unfolded", () => {
    const output = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n")
    const part = toolPart("prt_1", "bash", completed({ command: "seq" }, output, { exit: 0, output }))

    const folded = blockLines({ type: "tool", id: "prt_1", part, isDone: true }, layout())
    const unfolded = blockLines({ type: "tool", id: "prt_1", part, isDone: true }, layout({ isUnfolded: true }))

    expect(folded).toEqual([
      "● bash seq",
      "    … 16 more lines",
      "    line 16",
      "    line 17",
      "    line 18",
      "    line 19",
    ])
    expect(unfolded).toHaveLength(21)
  })

  it("masks secrets in calls", () => {
    const part = toolPart(
      "prt_1",
      "bash",
      completed({ command: "echo s3cret" }, "s3cret", { exit: 0, output: "s3cret" }),
    )

    const lines = blockLines(
      { type: "tool", id: "prt_1", part, isDone: true },
      layout({ mask: (each) => each.replaceAll("s3cret", "***") }),
    )

    expect(lines).toEqual(["● bash echo ***", "    ***"])
  })
})

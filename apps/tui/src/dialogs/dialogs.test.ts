import { createTheme } from "@pawl/terminal-text/theme"
import type { PermissionRequest } from "@pawl/core/host"
import { columnsOf } from "@pawl/terminal-text/width"
import { describe, expect, it } from "vitest"
import { toKeyPress } from "../terminal/keys.ts"
import { createChoiceDialog } from "./choice-dialog.ts"
import type { Dialog } from "./dialog.ts"
import { createPermissionDialog } from "./permission-dialog.ts"
import { createPicker } from "./picker.ts"

const layout = { columns: 50, rows: 10, theme: createTheme(false) }

function press(dialog: Dialog, ...keys: readonly string[]): void {
  for (const key of keys) dialog.handle(toKeyPress(key))
}

const [DOWN, ENTER, ESCAPE] = ["\u001B[B", "\r", "\u001B"]

describe("a picker", () => {
  const items = ["alpha", "beta", "gamma"].map((label) => ({ value: label, label }))

  it("filters by what is typed, and picks the selected item", () => {
    const picked: string[] = []
    const picker = createPicker({
      title: "Words",
      items,
      onPick: (value) => picked.push(value),
      onCancel: () => undefined,
    })

    press(picker, DOWN)
    expect(picker.render(layout).lines).toEqual([
      "Words ",
      "  alpha",
      "▸ beta",
      "  gamma",
      "  enter picks · esc closes",
    ])
    press(picker, "m")
    expect(picker.render(layout).lines.slice(0, 2)).toEqual(["Words m", "▸ gamma"])
    press(picker, ENTER)

    expect(picked).toEqual(["gamma"])
  })

  it("picks nothing if nothing matches, and cancels with Escape", () => {
    const happened: string[] = []
    const picker = createPicker({
      title: "Words",
      items,
      onPick: (value) => happened.push(value),
      onCancel: () => happened.push("cancelled"),
    })

    press(picker, "x", ENTER, ESCAPE)

    expect(happened).toEqual(["cancelled"])
  })
})

describe("a permission", () => {
  function permission(fields: Partial<PermissionRequest>) {
    const answers: object[] = []
    const dialog = createPermissionDialog({
      request: {
        ...{ id: "prt_1", sessionID: "ses_1", rootSessionID: "ses_1", tool: { messageID: "msg_1", callID: "c" } },
        ...{ permission: "bash", patterns: ["git push"], always: ["git push"], metadata: {} },
        ...fields,
      },
      details: () => ({}),
      print: () => undefined,
      onAnswer: (answer) => answers.push(answer),
    })
    return { dialog, answers, lines: () => dialog.render({ ...layout, rows: 20 }).lines.join("\n") }
  }

  it("sends a pattern that was not changed as a plain always, also with characters that cannot be seen", () => {
    const patterns = ["git push\n\u200B#"]
    const { dialog, answers, lines } = permission({ patterns, always: patterns })
    press(dialog, "3")
    expect(lines()).toContain("Always: git push??#")
    press(dialog, ENTER)
    expect(answers).toEqual([{ type: "permission", reply: "always" }])
  })

  it("edits several patterns one after the other, and drops empty ones", () => {
    const patterns = ["git add a", "git add b"]
    const { dialog, answers, lines } = permission({ patterns, always: patterns })
    press(dialog, "3", "\u0017", "*", ENTER)
    expect(lines()).toContain("Always, 2 of 2: git add b")
    press(dialog, "\u0015", ENTER)
    expect(answers).toEqual([{ type: "permission", reply: "always", patterns: ["git add *"] }])
  })

  it("starts again with the first pattern after an error, which typing removes", () => {
    const { dialog, answers, lines } = permission({})
    press(dialog, "3", "\u0015", "x", ENTER)
    expect(lines()).toContain('The pattern "x" does not match bash "git push"')
    press(dialog, "y")
    expect(lines()).not.toContain("does not match")
    press(dialog, ESCAPE)
    expect(lines()).toContain("1. Allow once")
    expect(dialog.takesEscape?.()).toBe(false)
    expect(answers).toEqual([])
  })

  it("has no pattern to edit if it cannot be allowed always", () => {
    const { dialog, answers, lines } = permission({ always: [] })
    expect(lines()).not.toContain("always")
    press(dialog, "2")
    expect(answers).toEqual([{ type: "permission", reply: "reject" }])
  })

  it("shows the part around the caret of a pattern that is longer than the window", () => {
    const patterns = [`echo ${"日本".repeat(60)} end`]
    const { dialog } = permission({ patterns, always: patterns })
    press(dialog, "3")
    const { lines, caret } = dialog.render({ ...layout, rows: 20 })
    const line = lines[caret?.row ?? 0] ?? ""
    expect(line).toMatch(/^Always: ….*end$/)
    expect(columnsOf(line)).toBeLessThanOrEqual(layout.columns)
    expect(caret?.column).toBe(columnsOf(line))
  })
})

describe("a choice", () => {
  const request = {
    ...{ id: "prt_1", sessionID: "ses_1", rootSessionID: "ses_1", tool: { messageID: "msg_1", callID: "c" } },
    questions: [
      {
        header: "Database",
        question: "Which one?",
        options: [
          { label: "sqlite", description: "" },
          { label: "postgres", description: "" },
        ],
      },
      {
        header: "Parts",
        question: "Which?",
        multiple: true,
        options: [
          { label: "a", description: "" },
          { label: "b", description: "" },
        ],
      },
    ],
  } as const

  it("is answered question by question, by numbers, several and own words", () => {
    let given: unknown
    const dialog = createChoiceDialog({
      request: structuredClone(request) as never,
      onAnswer: (answers) => (given = answers),
    })

    press(dialog, "2", "1", "2", "4", "x", "y", ENTER)

    expect(given).toEqual([["postgres"], ["a", "b", "xy"]])
  })

  it("goes back from own words with Escape", () => {
    const dialog = createChoiceDialog({ request: structuredClone(request) as never, onAnswer: () => undefined })

    press(dialog, "3", "n")
    expect(dialog.render(layout).lines.slice(-2)).toEqual(["Answer: n", "  enter answers · esc goes back"])
    expect(dialog.takesEscape?.()).toBe(true)
    press(dialog, ESCAPE)

    expect(dialog.render(layout).lines.at(-1)).toBe("▸ 3. Something else")
  })
})

import { createTheme } from "@pawl/terminal-text/theme"
import { describe, expect, it } from "vitest"
import { toKeyPress } from "../terminal/keys.ts"
import { createChoiceDialog } from "./choice-dialog.ts"
import type { Dialog } from "./dialog.ts"
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
    expect(dialog.render(layout).lines.at(-1)).toBe("Answer: n")
    expect(dialog.takesEscape?.()).toBe(true)
    press(dialog, ESCAPE)

    expect(dialog.render(layout).lines.at(-1)).toBe("▸ 3. Something else")
  })
})

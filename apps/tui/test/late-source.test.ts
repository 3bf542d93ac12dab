import { describe, expect, it } from "vitest"
import { ENTER, lateApp } from "./playing-app.ts"

describe("before the engine is open", () => {
  it("shows the editor, and sends what was typed when it is open", async () => {
    const late = await lateApp([{ reply: [{ text: "Here I am." }] }])

    late.type("Are you there?")
    late.press(ENTER)
    await late.shows("when pawl is ready: Are you there?")
    late.type("half a prompt")
    await late.shows("> half a prompt")
    await late.open()

    await late.shows("Here I am.")
    expect(late.terminal.scrollback()).toContain("> Are you there?")
    expect(late.app.ui.editor.text()).toBe("half a prompt")
  })
})

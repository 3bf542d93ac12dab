import { describe, expect, it } from "vitest"
import { ENTER, ESCAPE, type PlayingApp, playingApp } from "./playing-app.ts"

const answer = (...parts: object[]) => ({ reply: parts })
const text = (content: string) => ({ text: content })
const CTRL_R = "\u0012"
const UP = `${ESCAPE}[A`

function withVim(script: readonly object[] = [answer(text("Hi."))], pace = 0): Promise<PlayingApp> {
  return playingApp(script, 80, 24, pace, { editorKeys: "vim" })
}

describe("the keys of vim", () => {
  it("edit the prompt, and show their mode in the status", async () => {
    const played = await withVim()
    await played.shows("INSERT · build")
    played.type("one two three")

    played.press(ESCAPE)
    await played.shows("NORMAL · build")
    played.type("bd")
    await played.shows("NORMAL d · build")
    played.type("w0ix")

    expect(played.app.ui.editor.text()).toBe("xone two ")
    await played.shows("INSERT · build")
    expect(played.terminal.cursor()).toEqual({ row: played.terminal.screen().length - 2, column: 3 })
  })

  it("undo and redo, also what was pasted in normal mode", async () => {
    const { app, press, type } = await withVim()
    type("one two")
    press(ESCAPE)

    app.handleKey({ name: "paste", text: "X", data: `${ESCAPE}[200~X${ESCAPE}[201~` })
    expect(app.ui.editor.text()).toBe("one twXo")
    type("u")
    expect(app.ui.editor.text()).toBe("one two")
    press(CTRL_R)

    expect(app.ui.editor.text()).toBe("one twXo")
  })

  it("keep a folded paste when its marker stays, and delete it as one character", async () => {
    const { app, press, type } = await withVim()
    const pasted = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n")
    type("a ")
    app.handleKey({ name: "paste", text: pasted, data: `${ESCAPE}[200~${pasted}${ESCAPE}[201~` })
    type(" b")
    press(ESCAPE)

    type("x")
    expect(app.ui.editor.text()).toBe(`a ${pasted} `)
    type("0wx")
    expect(app.ui.editor.text()).toBe("a  ")
    type("u")

    expect(app.ui.editor.text()).toBe(`a ${pasted} `)
  })

  it("begin in insert mode after a prompt was sent, and step through the earlier prompts", async () => {
    const played = await withVim([answer(text("One.")), answer(text("Two."))])
    for (const [prompt, shown] of [
      ["first", "One."],
      ["second", "Two."],
    ] as const) {
      played.type(prompt)
      played.press(ESCAPE)
      played.press(ENTER)
      await played.shows(shown)
      await played.idle()
    }
    expect(played.app.ui.editor.text()).toBe("")
    played.type("draft")
    played.press(ESCAPE)

    played.type("0k")
    expect(played.app.ui.editor.text()).toBe("second")
    played.press(UP)
    expect(played.app.ui.editor.text()).toBe("first")
    played.type("jj")
    expect(played.app.ui.editor.text()).toBe("draft")
    played.type("x")

    expect(played.app.ui.editor.text()).toBe("raft")
  })

  it("interrupt with Escape in normal mode only", async () => {
    const played = await withVim([answer(text("Begun.\n\nMore"), { wait: 60_000 }, text(" never"))], 1)
    played.type("Go")
    played.press(ENTER)
    await played.shows("Begun.")
    await played.shows("esc esc interrupts")

    played.press(ESCAPE)
    await played.shows("NORMAL")
    expect(played.app.ui.view().status).toBe("busy")
    played.press(ESCAPE)

    await played.shows("Interrupted.")
    await played.idle()
  })

  it("go back with Escape twice in normal mode, and never from insert mode", async () => {
    const played = await withVim()
    played.type("Hello")
    played.press(ENTER)
    await played.shows("Hi.")
    await played.idle()

    played.press(ESCAPE)
    played.press(ESCAPE)
    await played.shows("esc again goes back")
    expect(played.terminal.screen().join("\n")).not.toContain("Go back to before")
    played.press(ESCAPE)

    await played.shows("Go back to before")
  })

  it("leave lists and the keys of actions alone", async () => {
    const played = await withVim()
    played.press(ESCAPE)

    played.press("\u0010")
    await played.shows("Commands")
    played.type("find")

    await played.shows("▸ /find")
    expect(played.app.ui.editor.text()).toBe("")
  })

  it("are switched by /vim", async () => {
    const played = await playingApp([answer(text("Hi."))])
    played.type("/vim")
    played.press(ENTER)
    await played.shows("The prompt has the keys of vim")
    await played.shows("INSERT · build")

    played.type("abc")
    played.press(ESCAPE)
    played.type("ddi/vim")
    played.press(ENTER)

    await played.shows("The prompt has the usual keys.")
    await expect.poll(() => played.terminal.screen().at(-1)).toMatch(/^build/)
  })
})

import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ENTER, ESCAPE, playingApp } from "./playing-app.ts"
import { servedSession } from "./served-session.ts"

const answer = (...parts: object[]) => ({ reply: parts })
const text = (content: string) => ({ text: content })
const DOWN = `${ESCAPE}[B`

describe("a note behind #", () => {
  it("is added to the instructions of the project", async () => {
    const played = await playingApp([answer(text("Hi."))])
    const file = join(played.directory, "AGENTS.md")
    await writeFile(file, "# Rules\n")
    played.type("# Use tabs")
    played.press(ENTER)
    await played.shows("▸ AGENTS.md  instructions of this project")
    await played.shows("your own instructions, a new file")

    played.press(ENTER)

    await played.shows('Added below "Notes" of AGENTS.md: Use tabs')
    expect(await readFile(file, "utf8")).toBe("# Rules\n\n## Notes\n\n- Use tabs\n")
    expect(played.app.ui.editor.text()).toBe("")
    expect(played.app.ui.view().status).toBe("idle")
  })

  it("is sent as a prompt if the user chooses so, and stays in the editor if the list is closed", async () => {
    const played = await playingApp([answer(text("Hi."))])
    played.type("#12 is broken")
    played.press(ENTER)
    await played.shows("Send it as a prompt")
    played.press(ESCAPE)
    expect(played.app.ui.editor.text()).toBe("#12 is broken")
    await expect.poll(() => played.terminal.screen().join("\n")).not.toContain("Add this note to")

    played.press(ENTER)
    await expect.poll(() => played.terminal.screen().join("\n")).toContain("Add this note to")
    played.press(DOWN)
    played.press(DOWN)
    played.press(ENTER)

    await played.shows("> #12 is broken Hi.")
    await expect(readFile(join(played.directory, "AGENTS.md"))).rejects.toThrow("ENOENT")
  })

  it("is refused over a server", async () => {
    const { source } = await servedSession([answer(text("Hi."))])

    await expect(source.noteFiles()).rejects.toThrow("Over a server, notes cannot be added")
  })
})

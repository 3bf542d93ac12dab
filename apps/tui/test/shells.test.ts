import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ENTER, playingApp } from "./playing-app.ts"
import { servedSession } from "./served-session.ts"

const answer = (...reply: readonly object[]) => ({ reply })
const LONG = { timeout: 30_000 }
const CTRL_X = "\u0018"
const inBackground = (command: string) => ({ tool: "bash", input: { command, background: true } })
const waiting = "echo größer; until [ -e go ]; do sleep 0.01; done; echo 日本; exit 3"

describe("commands in the background", () => {
  it("are listed with their last line, counted in the status, and printed", async () => {
    const played = await playingApp([answer(inBackground(waiting)), answer({ text: "Started." })], 100)
    played.type("/shells")
    played.press(ENTER)
    await played.shows("No command runs in the background of this session.")

    played.type("Start it")
    played.press(ENTER)
    await played.shows("Started.")
    await played.shows("1 shell")
    played.type("/shells")
    played.press(ENTER)
    await played.shows("Background commands")
    await played.shows("größer")
    expect(played.terminal.scrollback().join("\n")).toMatch(/● echo größer; until .*runs · \d+/)
    played.press("\u001B")

    await writeFile(join(played.directory, "go"), "")
    await expect.poll(() => played.terminal.scrollback().at(-1) ?? "", LONG).not.toContain("1 shell")
    played.type("/shells")
    played.press(ENTER)
    await played.shows("exit 3 after")
    played.press(ENTER)
    await played.shows("│ größer │ 日本")
  })

  it("are stopped", async () => {
    const played = await playingApp([answer(inBackground("echo up; sleep 300")), answer({ text: "Started." })], 100)
    played.type("Start it")
    played.press(ENTER)
    await played.shows("1 shell")
    played.type("/shells")
    played.press(ENTER)
    await played.shows("Background commands")
    played.press(CTRL_X)
    await played.shows('"echo up; sleep 300" was stopped.')

    played.type("/shells")
    played.press(ENTER)
    await played.shows("stopped after")
    expect(played.terminal.scrollback().join("\n")).toMatch(/✓ echo up; sleep 300 {2}stopped after \d+.* · up/)
    played.press(CTRL_X)
    await played.shows('"echo up; sleep 300" has ended already.')
  })

  it("of a server are listed, read and stopped", async () => {
    const script = [answer(inBackground("echo größer; sleep 300")), answer({ text: "Started." })]
    const { send, idle, source, view } = await servedSession(script)
    await send("Start it")
    await idle()
    const sessionID = view().session?.id ?? ""
    const [shell] = await source.shells(sessionID)
    if (!shell) expect.fail("There is no shell.")
    expect(shell).toMatchObject({ sessionID, command: "echo größer; sleep 300", lastLine: "größer" })
    expect(await source.shellOutput(shell)).toEqual({ text: "größer\n", omitted: 0 })
    await expect(source.shellOutput({ sessionID, id: "job_none" })).rejects.toThrow("no background command job_none")
    const other = await source.newSession()
    expect(await source.shells(other.id)).toEqual([])
    await expect(source.stopShell({ sessionID: other.id, id: shell.id })).rejects.toThrow("no background command")

    expect(await source.stopShell(shell)).toBe(true)
    expect(await source.stopShell(shell)).toBe(false)
    expect(await source.shells(sessionID)).toMatchObject([{ end: { stopped: "kill" } }])
  })
})

/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { CTRL_C, inTerminal, terminalHome, type TerminalProgram } from "./terminal.ts"
import { built } from "./workplace.ts"

let root: string
let project: string
let environment: Record<string, string>

beforeEach(async () => {
  ;({ root, project, environment } = await terminalHome())
})

const CTRL_D = "\u0004"
const CTRL_G = "\u0007"
const CTRL_R = "\u0012"
const CTRL_V = "\u0016"
const UP = "\u001B[A"
const ESCAPE = "\u001B"

async function open(replies: readonly object[], ...args: readonly string[]): Promise<TerminalProgram> {
  const script = join(project, "script.jsonl")
  await writeFile(script, replies.map((reply) => JSON.stringify(reply)).join("\n"))
  const command = [...built, ...args, "--script", script].map((word) => `'${word}'`).join(" ")
  const shell = `${command}; echo "ended with $?"; stty -a | grep -o '.icanon'`
  return inTerminal(["bash", "-c", shell], { directory: project, environment })
}

describe("keys of bare pawl", () => {
  it("finds the prompts of an earlier session with Up and Ctrl-R, in a private file", async () => {
    const first = await open([{ text: "Hello." }])
    await first.shows("/help")
    first.type("Remember this prompt\r")
    await first.shows("Hello.")
    first.type(CTRL_D)
    await first.ended

    const second = await open([{ text: "Hello." }])
    await second.shows("/help")
    second.type(UP)
    await second.shows("> Remember this prompt")
    second.type(`${CTRL_C}${CTRL_R}`)
    await second.shows("Earlier prompts")
    second.type("\r")
    await second.shows("> Remember this prompt")
    second.type(`${CTRL_C}${CTRL_D}`)
    await second.ended

    const file = join(root, "data", "prompts.jsonl")
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ prompt: "Remember this prompt" })
  })

  it("gives the terminal to the editor of Ctrl-G, and takes it back", async () => {
    const editor = join(root, "editor")
    await writeFile(
      editor,
      '#!/bin/sh\nstty -a </dev/tty | grep -o ".icanon"\nprintf "press a key "; read -r line </dev/tty\nprintf "%s and %s" "$(cat "$1")" "$line" > "$1"\n',
    )
    await chmod(editor, 0o755)
    environment["VISUAL"] = editor
    const terminal = await open([{ text: "Edited." }])
    await terminal.shows("/help")
    terminal.type("one")
    await terminal.shows("> one")

    terminal.type(CTRL_G)
    await terminal.shows(" icanon")
    await terminal.shows("press a key")
    terminal.type("two\r")
    await terminal.shows("> one and two")
    terminal.type("\r")
    await terminal.shows("Edited.")
    terminal.type(CTRL_D)

    await terminal.ended
    expect(terminal.text()).toContain("ended with 0")
    expect(terminal.raw()).not.toMatch(/\u001B\[[23]J/)
  })

  it("says what is missing for an editor and for an image of the clipboard", async () => {
    environment["PATH"] = dirname(process.execPath)
    const script = join(project, "script.jsonl")
    await writeFile(script, JSON.stringify({ text: "Hi." }))
    const terminal = inTerminal([...built, "--script", script], { directory: project, environment })
    await terminal.shows("/help")

    terminal.type(CTRL_G)
    await terminal.shows("Set VISUAL or EDITOR")
    terminal.type(CTRL_V)
    await terminal.shows("needs wl-paste, xclip or pngpaste")

    terminal.type(CTRL_D)
    expect((await terminal.ended).code).toBe(0)
  })

  it("opens the rewind picker for Escape twice, also if both come at once", async () => {
    const terminal = await open([{ text: "Hello." }])
    await terminal.shows("/help")
    terminal.type("Say hello\r")
    await terminal.shows("Hello.")
    await terminal.shows("/help")

    terminal.type(`${ESCAPE}${ESCAPE}`)
    await terminal.shows("Go back to before")
    terminal.type("\r")
    await terminal.shows("messages and files")
    terminal.type("\r")
    await terminal.shows('undone from "Say hello" on: /redo takes it back')
    terminal.type(`${CTRL_C}${CTRL_D}`)

    await terminal.ended
    expect(terminal.text()).toContain("ended with 0")
  })

  it("uses the keys of tui.json, and names the file of a mistake before anything is drawn", async () => {
    await mkdir(join(root, "configuration"))
    const file = join(root, "configuration", "tui.json")
    await writeFile(file, '{ "keys": { "fold": "f2" } }')
    const good = await open([{ text: "Hi." }])
    await good.shows("/help")
    good.type("\u001BOQ")
    await good.shows("Outputs are shown in full")
    good.type(CTRL_D)
    await good.ended

    await writeFile(file, '{ "keys": { "fould": "f2" } }')
    const bad = await open([{ text: "Hi." }])
    await bad.ended

    const shown = bad.text().replaceAll("\n", "")
    expect(shown).toContain('tui.json: unknown action "fould"; did')
    expect(shown).toContain('mean "fold"?')
    expect(shown).toContain("ended with 2")
    expect(bad.raw()).not.toContain("\u001B[?2026h")
  })
})

describe("pawl tui --plain in a terminal", () => {
  it("takes answers by number", async () => {
    const hook = { tool: "write", input: { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\n" } }
    const terminal = await open([{ reply: [hook] }, { text: "Written." }], "tui", "--plain")
    await terminal.shows("/quit")
    terminal.type("Add a hook\r")
    await terminal.shows(`"2 <pattern>" to allow another`)

    terminal.type("7\r")
    await terminal.shows("Answer with a number from 1 to 3")
    terminal.type("1\r")
    await terminal.shows("Written.")
    terminal.type("/quit\r")

    await terminal.ended
    expect(terminal.text()).toContain("ended with 0")
    expect(terminal.raw()).not.toContain("\u001B[?2026h")
  })
})

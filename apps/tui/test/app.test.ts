import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ENTER, ESCAPE, type PlayingApp, playingApp } from "./playing-app.ts"

const answer = (...parts: object[]) => ({ reply: parts })
const text = (content: string) => ({ text: content })
const call = (tool: string, input: object) => ({ tool, input })

const hook = call("write", { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\necho done\n" })
const MARKDOWN = "# Plan\n\nI read `a.txt`, then **change** it.\n\n1. read\n2. write\n\n```js\nconst a = 1\n```"

describe.each([
  [80, 24],
  [120, 40],
  [40, 15],
])("at %i x %i", (columns, rows) => {
  const golden = (name: string) => `golden/${name}-${columns}x${rows}.txt`
  const frame = ({ terminal }: PlayingApp) => `${terminal.screen().join("\n")}\n`

  it("begins with an empty prompt", async () => {
    const played = await playingApp([answer(text("Hi"))], columns, rows)

    await played.shows("/help")

    await expect(frame(played)).toMatchFileSnapshot(golden("start"))
  })

  it("shows an answer with a call", async () => {
    const script = [answer(text(MARKDOWN), call("read", { filePath: "a.txt" })), answer(text("It says *hello*."))]
    const played = await playingApp(script, columns, rows)
    await writeFile(join(played.directory, "a.txt"), "hello\n")

    played.type("Read a.txt")
    played.press(ENTER)
    await played.shows("It says")
    await played.idle()

    await expect(frame(played)).toMatchFileSnapshot(golden("answer"))
  })

  it("asks for a permission with the change, and goes on with the answer", async () => {
    const played = await playingApp([answer(hook), answer(text("Written."))], columns, rows)
    played.type("Add a hook")
    played.press(ENTER)
    await played.shows("+ echo done")
    await expect(frame(played)).toMatchFileSnapshot(golden("permission"))

    played.read()
    played.press("y")
    await played.shows("Written.")

    expect(await readFile(join(played.directory, ".git/hooks/post-commit"), "utf8")).toContain("echo done")
  })

  it("lists commands and keys", async () => {
    const played = await playingApp([answer(text("Hi"))], columns, rows)

    played.type("/help")
    await played.shows("→ /help")
    played.press(ENTER)
    await played.shows("name a subagent")

    await expect(`${played.terminal.scrollback().join("\n")}\n`).toMatchFileSnapshot(golden("help"))
  })

  it("has the same transcript after resizes", async () => {
    const words = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} has 日本語 and 👍.`)
    const played = await playingApp([answer(text(words.join("\n\n")))], columns, rows)
    played.type("Go")
    played.press(ENTER)
    await played.shows("Paragraph 9 ")

    for (const [wide, high] of [
      [columns - 10, rows],
      [columns + 20, rows - 4],
      [columns, rows],
    ] as const) {
      played.terminal.resize(wide, high)
      played.app.resized()
    }
    await played.shows("Paragraph 59 ")
    await played.idle()

    const shown = played.terminal.scrollback().filter((line) => line.startsWith("Paragraph"))
    expect(shown).toEqual(words)
  })
})

describe("the terminal UI", () => {
  it("rejects with what to do instead", async () => {
    const played = await playingApp([answer(hook), answer(text("Then not."))])
    played.type("Add a hook")
    played.press(ENTER)
    await played.shows("Reject, and say")
    played.read()

    played.press("i")
    played.type("use husky")
    played.press(ENTER)

    await played.shows("says: use husky")
    await played.shows("Then not.")
    expect(played.app.ui.view().questions).toEqual([])
  })

  it("takes no key for an answer that was typed before the question was there", async () => {
    const played = await playingApp([answer(hook), answer(text("Written."))])
    played.type("Add a hook")
    played.press(ENTER)
    await played.shows("Reject, and say")

    played.type("yes")

    expect(played.app.ui.view().questions).toHaveLength(1)
    expect(played.app.ui.editor.text()).toBe("yes")
  })

  it("interrupts with Escape, and keeps what was done", async () => {
    const played = await playingApp(
      [answer(text("Begun.\n\nMore"), { wait: 60_000 }, text(" never")), answer(text("Again."))],
      80,
      24,
      1,
    )
    played.type("Go")
    played.press(ENTER)
    await played.shows("Begun.")

    played.press(ESCAPE)

    await played.shows("Interrupted.")
    await played.idle()
    expect(played.terminal.scrollback()).toContain("Begun.")
  })

  it("steers with Enter and queues with Alt+Enter while it works, and takes a prompt back", async () => {
    const script = [
      answer({ wait: 1500 }, text("One."), call("list", {})),
      answer(text("Two.")),
      answer(text("Three.")),
      answer(text("Four.")),
    ]
    const played = await playingApp(script, 80, 24, 1)
    played.type("Go")
    played.press(ENTER)
    await expect.poll(() => played.app.ui.view().status).toBe("busy")

    played.type("steer")
    played.press(ENTER)
    await played.shows("next step: steer")
    played.type("later")
    played.press(`${ESCAPE}\r`)
    await played.shows("after the turn: later")
    played.type("not this")
    played.press(`${ESCAPE}\r`)
    await played.shows("after the turn: not this")
    played.press(`${ESCAPE}[1;3A`)
    await expect.poll(() => played.app.ui.editor.text()).toBe("not this")
    await played.shows("Three.")
    await played.idle()

    const shown = played.terminal.scrollback()
    expect(shown.filter((line) => line.startsWith("> "))).toEqual(["> Go", "> steer", "> later", "> not this"])
    expect(shown).toContain("  sent while it worked")
    expect(shown).toContain("  sent after the turn")
  })

  it("undoes a turn with its files, and takes that back", async () => {
    const played = await playingApp([
      answer(call("write", { filePath: "new.txt", content: "x\n" })),
      answer(text("Written.")),
    ])
    const file = join(played.directory, "new.txt")
    const run = (command: string) => {
      played.type(command)
      played.press(ENTER)
    }
    run("Write")
    await played.shows("Written.")
    await played.idle()

    run("/undo")
    await played.shows("undone: /redo takes it back")
    await played.shows("removed   new.txt")
    await expect(readFile(file)).rejects.toThrow("ENOENT")
    run("/redo")
    await played.shows("the last undo is taken back")

    expect(await readFile(file, "utf8")).toBe("x\n")
  })

  it("opens another session and shows its messages", async () => {
    const played = await playingApp([answer(text("The answer."))])
    const run = async (command: string, shown: string) => {
      played.type(command)
      played.press(ENTER)
      await played.shows(shown)
      await played.idle()
    }
    await run("First question", "The answer.")
    await run("/new", "new session")
    await run("Second question", "> Second question The answer.")

    await run("/sessions", "enter picks")
    await run("First", "── First question ──")

    const prompts = played.terminal.scrollback().filter((line) => line.startsWith("> F") || line.startsWith("> S"))
    expect(prompts).toEqual(["> First question", "> Second question", "> First question"])
    expect(played.app.ui.view().session?.title).toBe("First question")
  })

  it("sends a pasted megabyte as it is, and shows a marker for it", async () => {
    const played = await playingApp([answer(text("Read."))])
    const pasted = "a line of text\n".repeat(70_000).trim()

    played.press(`${ESCAPE}[200~${pasted}${ESCAPE}[201~`)
    await played.shows("[paste #1 +70000 lines]")

    expect(played.app.ui.editor.text()).toHaveLength(pasted.length)
  })

  it("runs a command behind ! without the model, and shows it again when the session is opened", async () => {
    const played = await playingApp([answer(text("Never."))])
    const run = async (line: string, shown: string) => {
      played.type(line)
      played.press(ENTER)
      await played.shows(shown)
    }
    await run("!echo one && echo two; exit 3", "exit 3")
    await played.idle()
    const { session } = played.app.ui.view()
    await run("/new", "new session")
    await played.app.ui.openSession(session?.id ?? "")
    await played.idle()

    const shown = played.terminal.scrollback()
    const at = shown.lastIndexOf("! echo one && echo two; exit 3")
    expect(shown.filter((line) => line.startsWith("! "))).toHaveLength(2)
    expect(shown.slice(at, at + 4)).toEqual(["! echo one && echo two; exit 3", "    one", "    two", "    exit 3"])
    expect(shown.join("\n")).not.toContain("/continue resumes it")
  })

  it("asks before a command behind ! as before other commands, and keeps one that is typed while it works", async () => {
    const played = await playingApp([answer({ wait: 60_000 }, text("Never."))], 80, 24, 1)
    played.type("!echo x > .git/hooks/post-commit")
    played.press(ENTER)
    await played.shows("Reject, and say")
    played.read()
    played.press("n")
    await played.shows("✗ bash echo x > .git/hooks/post-commit")
    await played.idle()

    played.type("Go")
    played.press(ENTER)
    await played.shows("waiting for the model")
    played.type("!ls")
    played.press(ENTER)

    await played.shows("has to wait for the end of the turn")
    expect(played.app.ui.editor.text()).toBe("!ls")
  })

  it("writes nothing while it is idle", async () => {
    const played = await playingApp([answer(text("Done."))])
    played.type("Go")
    played.press(ENTER)
    await played.shows("Done.")
    await played.idle()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = played.written()

    await new Promise((resolve) => setTimeout(resolve, 1000))

    expect(played.written()).toBe(before)
  })
})

import { existsSync } from "node:fs"
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
  /** Not only the screen: where it begins depends on when the frames before were drawn. */
  const frame = ({ terminal }: PlayingApp) => `${terminal.scrollback().join("\n")}\n`

  it("begins with an empty prompt", async () => {
    const played = await playingApp([answer(text("Hi"))], columns, rows)

    await played.shows("build")

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
    played.press("1")
    await played.shows("Written.")

    expect(await readFile(join(played.directory, ".git/hooks/post-commit"), "utf8")).toContain("echo done")
  })

  it("edits the pattern that always allows, and says why one cannot be allowed", async () => {
    const other = call("write", { filePath: ".git/hooks/pre-push", content: "#!/bin/sh\n" })
    const played = await playingApp([answer(hook), answer(other), answer(text("Both."))], columns, rows)
    played.type("Add two hooks")
    played.press(ENTER)
    await played.shows("+ echo done")
    played.read()
    played.press("3")
    await played.shows("Always: .git/hooks/post-commit")
    played.press("\u0015")
    played.type(".git/config")
    played.press(ENTER)
    await played.shows("does not match protected_file")
    await expect(frame(played)).toMatchFileSnapshot(golden("pattern"))

    played.press("\u0015")
    played.type(".git/hooks/*")
    played.press(ENTER)
    await played.shows("Both.")

    expect(await readFile(join(played.directory, ".git/hooks/pre-push"), "utf8")).toBe("#!/bin/sh\n")
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

    played.press("5")
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

    played.type("1 moment")

    expect(played.app.ui.view().questions).toHaveLength(1)
    expect(played.app.ui.editor.text()).toBe("1 moment")
  })

  it("takes no key for an answer while a prompt is typed, and keeps that until the answer", async () => {
    const played = await playingApp([answer(hook), answer(text("Written."))])
    played.type("Add a hook")
    played.press(ENTER)
    await played.shows("Reject, and say")
    played.read()

    // Letters are no answers.
    played.type("always name the file")
    played.read()
    played.press("1")
    await played.shows("always name the file1")
    await played.shows("tab answers the question")
    expect(played.app.ui.view().questions).toHaveLength(1)

    played.press("\t")
    played.read()
    played.press("1")
    await played.shows("Written.")
    await played.idle()
    expect(played.app.ui.editor.text()).toBe("always name the file1")
    expect(await readFile(join(played.directory, ".git/hooks/post-commit"), "utf8")).toContain("echo done")
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

  it("keeps what is queued when the turn is interrupted, and sends it with the next prompt", async () => {
    const slow = answer(text("Begun.\n\nMore"), { wait: 60_000 }, text(" never"))
    const played = await playingApp([slow, answer(text("First done.")), answer(text("Second done."))], 80, 24, 1)
    played.type("Go")
    played.press(ENTER)
    await played.shows("Begun.")
    played.type("Later")
    played.press("\u001B\r")
    await played.shows("after the turn: Later")
    played.press(ESCAPE)
    await played.shows("with your next prompt: Later · alt+up takes it back")

    played.type("Now")
    played.press(ENTER)
    await played.shows("First done.")
    await played.shows("Second done.")
    await played.idle()
    expect(played.app.ui.view().queue).toEqual([])
    const prompts = played.terminal.scrollback().filter((line) => line.startsWith("> "))
    expect(prompts.slice(0, 3)).toEqual(["> Go", "> Now", "> Later"])
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
    await played.shows('undone from "Write" on: /redo takes it back')
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

  it("takes a command behind ! for the answer to a rule that asks, and keeps one that is typed while it works", async () => {
    const played = await playingApp([answer(text("A title")), answer({ wait: 60_000 }, text("Never."))], 80, 24, 1)
    played.type("!mkdir -p .git/hooks; echo x > .git/hooks/post-commit")
    played.press(ENTER)
    await expect.poll(() => existsSync(join(played.directory, ".git", "hooks", "post-commit"))).toBe(true)
    await played.idle()
    expect(played.terminal.scrollback().join("\n")).not.toContain("Reject")

    played.type("Go")
    played.press(ENTER)
    await played.shows("waiting for the model")
    played.type("!ls")
    played.press(ENTER)

    await played.shows("has to wait for the end of the turn")
    expect(played.app.ui.editor.text()).toBe("!ls")
  })

  it("asks about a command that somebody else runs in the session, such as a plugin", async () => {
    const played = await playingApp([answer(text("A title"))])
    const { source, view } = played.app.ui
    const command = "mkdir -p .git/hooks; echo x > .git/hooks/post-commit"
    const ran = source.shell({ sessionID: view().session?.id ?? "", command, agent: "build", model: view().model })

    await played.shows("Reject, and say")
    played.read()
    played.press("4")
    await ran.catch(() => undefined)

    await played.idle()
    expect(existsSync(join(played.directory, ".git", "hooks", "post-commit"))).toBe(false)
  })

  describe("going back", () => {
    async function twoTurns(): Promise<PlayingApp> {
      const write = (name: string, content: string) => call("write", { filePath: name, content })
      const played = await playingApp([
        answer(write("a.txt", "1\n")),
        answer(text("One.")),
        answer(write("a.txt", "2\n"), write("b.txt", "b\n")),
        answer(text("Two.")),
      ])
      for (const [prompt, shown] of [
        ["First prompt", "One."],
        ["Second prompt", "Two."],
      ] as const) {
        played.type(prompt)
        played.press(ENTER)
        await played.shows(shown)
        await played.idle()
      }
      played.press(ESCAPE)
      await played.shows("esc again goes back")
      played.press(ESCAPE)
      await played.shows("enter picks")
      return played
    }
    const has = (played: PlayingApp, name: string) => readFile(join(played.directory, name), "utf8").catch(() => "none")

    it("lists the prompts, newest first, with the files of each", async () => {
      const played = await twoTurns()

      expect(played.terminal.screen().filter((line) => line.includes(" prompt  "))).toEqual([
        "▸ Second prompt  2 files · now",
        "  First prompt  1 file · now",
      ])
    })

    it("undoes messages and files, and proposes the prompt again", async () => {
      const played = await twoTurns()
      played.press(ENTER)
      await played.shows("▸ messages and files")
      played.press(ENTER)
      await played.shows("removed   b.txt")
      await played.shows("restored  a.txt")

      await expect.poll(() => played.app.ui.editor.text()).toBe("Second prompt")
      expect([await has(played, "a.txt"), await has(played, "b.txt")]).toEqual(["1\n", "none"])
    })

    it("undoes files only, and leaves a file alone that the user has changed too", async () => {
      const played = await twoTurns()
      await writeFile(join(played.directory, "b.txt"), "mine\n")
      played.press(ENTER)
      await played.shows("▸ messages and files")
      played.type("files only")
      played.press(ENTER)

      await played.shows("conflict  b.txt · left as it is")
      await played.shows("restored  a.txt")
      expect([await has(played, "a.txt"), await has(played, "b.txt")]).toEqual(["1\n", "mine\n"])
      expect(played.app.ui.editor.text()).toBe("")
    })

    it("undoes messages only", async () => {
      const played = await twoTurns()
      played.press("\u001B[B")
      played.press(ENTER)
      await played.shows("▸ messages and files")
      played.press("\u001B[B")
      played.press(ENTER)

      await played.shows("── messages undone")
      await expect.poll(() => played.app.ui.editor.text()).toBe("First prompt")
      expect(await has(played, "a.txt")).toBe("2\n")
    })
  })

  it("finds earlier prompts with Ctrl-R, in order, and puts a prompt aside with Ctrl-S", async () => {
    const played = await playingApp([answer(text("Hi."))])
    for (const prompt of ["fix the parser", "write a test", "fix the lexer"]) await played.app.ui.history.add(prompt)
    played.press("\u0012")
    await played.shows("▸ fix the lexer")
    played.type("FIX")
    await played.shows("Earlier prompts FIX ▸ fix the lexer fix the parser enter picks")
    played.press("\u0012")
    await played.shows("▸ fix the parser")
    played.press(ENTER)
    expect(played.app.ui.editor.text()).toBe("fix the parser")

    played.press("\u0013")
    await played.shows("put aside: fix the parser · ctrl+s takes it back")
    expect(played.app.ui.editor.text()).toBe("")
    played.press("\u0013")

    expect(played.app.ui.editor.text()).toBe("fix the parser")
  })

  it("takes the text of an external editor", async () => {
    const played = await playingApp([answer(text("Hi."))])
    played.type("draft")

    played.press("\u0007")

    await played.shows("> draft edited")
    expect(played.app.ui.editor.text()).toBe("draft edited")
  })

  it("runs commands and actions from the palette", async () => {
    const played = await playingApp([answer(text("Hi."))])
    played.press("\u0010")
    await played.shows("enter picks")
    played.type("fold")
    await played.shows("▸ fold  ctrl+o")
    played.press(ENTER)
    await played.shows("Outputs are shown in full")
    expect(played.app.ui.toggleFold()).toBe(false)
    played.press("\u0010")
    await played.shows("enter picks")
    played.type("/help")
    played.press(ENTER)

    await played.shows("name a subagent")
  })

  it("attaches images whose path is pasted, and suggests subagents behind @", async () => {
    const played = await playingApp([answer(text("A dot."))])
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    await writeFile(join(played.directory, "my dot.png"), Buffer.from(png, "base64"))
    played.app.handleKey({ name: "paste", text: "'my dot.png'", data: "" })
    await played.shows("> [Image 1: my dot.png]")
    played.type("What is it?")
    played.press(ENTER)
    await played.shows("attached: my dot.png")
    await played.shows("A dot.")
    await played.idle()
    const { messages } = await played.app.ui.source.openSession(played.app.ui.view().session?.id ?? "")
    expect(messages[0]?.parts).toContainEqual(expect.objectContaining({ type: "file", mime: "image/png" }))

    played.type("Ask @expl")

    await played.shows("→ explore")
  })

  it("shows the changes of the session and of the last turn", async () => {
    const played = await playingApp([
      answer(call("write", { filePath: "a.txt", content: "first\n" })),
      answer(text("One.")),
      answer(call("write", { filePath: "b.txt", content: "second\n" })),
      answer(text("Two.")),
    ])
    const run = async (line: string, shown: string) => {
      played.type(line)
      played.press(ENTER)
      await played.shows(shown)
      await played.idle()
    }
    await run("/diff", "This session has changed no files.")
    await run("First", "One.")
    await run("Second", "Two.")

    await run("/diff last", "+second")
    const before = played.terminal.scrollback()
    expect(before).toContain("diff --git a/b.txt b/b.txt")
    expect(before).not.toContain("diff --git a/a.txt b/a.txt")
    await run("/diff", "▸ All files  +2 -0")
    await run("", "+first")
    expect(played.terminal.scrollback()).toContain("diff --git a/a.txt b/a.txt")
  })

  it("continues in a copy of the session", async () => {
    const played = await playingApp([answer(text("One.")), answer(text("Two."))])
    const run = async (line: string, shown: string) => {
      played.type(line)
      played.press(ENTER)
      await played.shows(shown)
      await played.idle()
    }
    await run("First", "One.")
    const { session } = played.app.ui.view()

    await run("/fork", "This is the copy.")
    await run("Second", "Two.")

    const copy = played.app.ui.view().session
    expect(copy?.id).not.toBe(session?.id)
    const { messages } = await played.app.ui.source.openSession(session?.id ?? "")
    expect(messages).toHaveLength(2)
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

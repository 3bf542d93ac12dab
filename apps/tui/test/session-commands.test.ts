import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ENTER, ESCAPE, type PlayingApp, playingApp, type Script } from "./playing-app.ts"

const answer = (...parts: object[]) => ({ reply: parts })
const text = (content: string) => ({ text: content })
const call = (tool: string, input: object) => ({ tool, input })
const CTRL_D = "\u0004"
const CTRL_R = "\u0012"
const CTRL_U = "\u0015"

async function played(script: Script, ...options: readonly [number?, number?, number?, object?]) {
  const app = await playingApp(script, ...options)
  return {
    ...app,
    /** Sends a prompt or a command, and waits for what it shows. */
    async run(typed: string, shown: string) {
      app.type(typed)
      app.press(ENTER)
      await app.shows(shown)
      await app.idle()
    },
  }
}

describe("/context", () => {
  it.each([
    [80, 24],
    [40, 15],
  ])("shows the parts of the window at %i x %i", async (columns, rows) => {
    const app = await played([answer(text("Hi."))], columns, rows)
    await app.run("Hello", "Hi.")

    await app.run("/context", "next request")

    const lines = app.terminal.scrollback()
    const legend = lines.find((line) => line.includes("system")) ?? ""
    expect(legend).toMatch(/█ system \S+.*▒ tools/)
    expect(lines.filter((line) => line.length > columns)).toEqual([])
  })
})

describe("/cost", () => {
  it("shows each turn, and the session", async () => {
    const app = await played([answer(text("One.")), answer(text("Two."))])
    await app.run("First", "One.")
    await app.run("Second", "Two.")

    await app.run("/cost", "all turns")

    const rows = app.terminal.scrollback().filter((line) => / in.* out · /.test(line))
    expect(rows.map((row) => row.trim().split(/ {2,}/)[0])).toEqual(["First", "Second", "all turns"])
    expect(rows.at(-1)).toContain("2 requests")
  })
})

describe("/sessions", () => {
  async function withTwo() {
    const app = await played([answer(text("Nothing new.")), answer(text("The zebra crossed."))])
    await app.run("First question", "Nothing new.")
    await app.run("And?", "The zebra crossed.")
    await app.run("/new", "new session")
    await app.run("Second question", "> Second question Nothing new.")
    app.type("/sessions")
    app.press(ENTER)
    await app.shows("enter picks")
    return app
  }

  it("finds a session by words that only its answer has, and shows its messages", async () => {
    const app = await withTwo()

    app.type("zebra")
    await app.shows("First question The zebra crossed.")
    await app.shows("│ The zebra crossed.")
    app.press(ENTER)

    await app.shows("── First question ──")
    expect(app.app.ui.view().session?.title).toBe("First question")
  })

  it("renames the selected session", async () => {
    const app = await withTwo()

    app.type("First")
    app.press(CTRL_R)
    await app.shows("Title: First question")
    app.press(CTRL_U)
    app.type("About zebras")
    app.press(ENTER)

    await app.shows("About zebras")
    expect(await titles(app)).toEqual(["About zebras", "Second question"])
  })

  it("deletes the selected session after a confirmation, and never the open one", async () => {
    const app = await withTwo()
    app.type("Second")
    app.press(CTRL_D)
    await app.shows("This session is open.")

    await reopen(app)
    app.type("First")
    app.press(CTRL_D)
    await app.shows('Delete "First question"')
    app.press(ENTER)
    await app.shows("enter picks · esc closes · ctrl+r renames")
    expect(await titles(app)).toHaveLength(2)
    app.type("First")
    app.press(CTRL_D)
    await app.shows("Delete it")
    app.press(`${ESCAPE}[B`)
    app.press(ENTER)

    await app.shows('Deleted "First question".')
    expect(await titles(app)).toEqual(["Second question"])
  })

  it("shows forks below their session", async () => {
    const app = await withTwo()
    app.press(ESCAPE)
    await app.app.ui.source.fork(app.app.ui.view().session?.id ?? "")

    app.type("/tree")
    app.press(ENTER)

    await app.shows("▸ Second question")
    await app.shows("└ Second question (fork #1)")
    expect(app.terminal.screen().join("\n")).not.toContain("First question  ")
  })
})

async function reopen(app: PlayingApp): Promise<void> {
  await expect.poll(() => app.app.ui.view().blocks).toEqual([])
  app.type("/sessions")
  app.press(ENTER)
  await app.shows("enter picks")
}

async function titles({ app }: PlayingApp): Promise<string[]> {
  const found = await app.ui.source.sessions({ limit: 10 })
  return found.map(({ title }) => title).toSorted()
}

describe("/find", () => {
  it("lists texts with the words, and prints the message again", async () => {
    const app = await played([answer(text("A walrus sleeps.")), answer(text("Fine."))])
    await app.run("Tell me", "A walrus sleeps.")
    await app.run("Thanks", "Fine.")

    app.type("/find walrus")
    app.press(ENTER)
    await app.shows('1 with "walrus"')
    app.press(ENTER)
    await app.shows("end of what was found")

    const shown = app.terminal.scrollback().filter((line) => line === "A walrus sleeps.")
    expect(shown).toHaveLength(2)
  })

  it("says that nothing was found", async () => {
    const app = await played([answer(text("Fine."))])
    await app.run("Hello", "Fine.")

    await app.run("/find walrus", 'Nothing with "walrus" in this session.')

    expect(app.app.ui.view().blocks).toEqual([])
  })
})

describe("what leaves the UI", () => {
  it("copies the last answer with OSC 52", async () => {
    const app = await played([answer(text("Copy *me*."))])
    await app.run("Hello", "Copy me.")

    await app.run("/copy", "Copied the last answer.")

    expect(app.sent()).toEqual([`\u001B]52;c;${Buffer.from("Copy *me*.").toString("base64")}\u0007`])
  })

  it("exports Markdown and a document", async () => {
    const script = [
      answer(text("I write."), call("write", { filePath: "a.txt", content: "x\n" })),
      answer(text("Done.")),
    ]
    const app = await played(script)
    await app.run("Write a file", "Done.")

    await app.run("/export talk.md", "talk.md. Secrets")
    await app.run("/export talk.json", "talk.json. Secrets")
    await app.run("/export talk.md", "talk.md exists already: choose another name")
    await app.run("/export none/talk.md", "There is no directory")

    const markdown = await readFile(join(app.directory, "talk.md"), "utf8")
    expect(markdown).toMatch(/^# Write a file\n\n## Prompt\n\nWrite a file\n\nI write\.\n\n```text\n● write a\.txt/)
    const document = JSON.parse(await readFile(join(app.directory, "talk.json"), "utf8")) as { sessions: unknown[] }
    expect(document.sessions).toHaveLength(1)
  })

  it("says that an interrupted turn is not continued, which prompts are none, and which commands are unknown", async () => {
    const app = await played([answer(text("Begun.\n\nMore"), { wait: 60_000 }, text(" never"))], 80, 24, 1)
    app.type("Go")
    app.press(ENTER)
    await app.shows("Begun.")
    app.press(ESCAPE)
    await app.shows("Interrupted. Your next prompt goes on from here.")
    await app.idle()

    await app.run("/continue", "there is nothing to continue")
    await app.run("/frobnicate", "There is no command /frobnicate.")
    await app.shows("/help lists all commands.")
    for (const text of ["/", "!", "@"]) {
      app.app.ui.editor.setText(text)
      app.press(ENTER)
      expect(app.app.ui.editor.text()).toBe(text)
    }
    expect(app.app.ui.view().status).toBe("idle")
  })

  it("links files and marks prompts for terminals that know it", async () => {
    const frames: string[] = []
    const script = [answer(call("write", { filePath: "a b.txt", content: "x\n" })), answer(text("Done."))]
    const app = await played(script, 80, 24, 0, { hasLinks: true, onFrame: (frame: string) => frames.push(frame) })
    await app.run("Write a file", "Done.")

    const written = frames.join("")
    expect(written).toContain(`\u001B]8;;file://${app.directory}/a%20b.txt\u001B\\a b.txt\u001B]8;;\u001B\\`)
    expect(written.split("\u001B]133;A").length - 1).toBe(1)
    expect(app.terminal.scrollback()).toContain("> Write a file")
  })
})

describe("/agents", () => {
  it("says that there are none", async () => {
    const app = await played([answer(text("Hi."))])

    await app.run("/agents", "No subagent has worked")

    expect(app.app.ui.view().subagents.size).toBe(0)
  })

  it("reads a subagent, and stops one that works", async () => {
    const task = call("task", { description: "Look around", prompt: "Look", subagent_type: "explore" })
    // Each session plays it from its beginning, and a subagent cannot call subagents.
    const script = [answer(task), answer({ wait: 60_000 }, text("Never."))]
    const app = await played(script, 80, 24, 1)
    app.type("Go")
    app.press(ENTER)
    await app.shows("↳ explore")

    app.type("/agents")
    app.press(ENTER)
    await app.shows("● explore: Look around")
    app.press(ENTER)
    await app.shows("explore is still working")
    expect(app.terminal.scrollback()).toContain("> Look")
    app.type("/agents")
    app.press(ENTER)
    await app.shows("ctrl+x stops")
    app.press("\u0018")

    await app.shows("was not finished: it was aborted")
    app.press(ESCAPE)
    await app.shows("Interrupted.")
    await app.idle()
    expect([...app.app.ui.view().subagents.values()].map(({ isBusy }) => isBusy)).toEqual([false])
  })
})

describe("a status command", () => {
  it("gets the status as JSON, and shows its first line without control characters", async () => {
    const command = `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const{agent,cost}=JSON.parse(s);console.log("own \\u001b[2J"+agent+" "+cost+"\\nsecond")})'`
    const app = await played([answer(text("Hi."))], 80, 24, 0, { statusCommand: command })

    await app.shows("own ")

    await expect.poll(() => app.terminal.screen().at(-1)).toMatch(/^own .*build 0$/)
    expect(app.terminal.screen().join("\n")).not.toContain("second")
  })
})

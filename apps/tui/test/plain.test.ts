import { access, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { createTheme } from "@pawl/terminal-text/theme"
import { describe, expect, it, onTestFinished } from "vitest"
import { commandList } from "../src/commands/command-list.ts"
import { memoryHistory } from "../src/history/prompt-history.ts"
import { memoryModelChoices } from "../src/models/model-choices.ts"
import { runPlain } from "../src/plain/plain-app.ts"
import { playingSource, type Script } from "./playing-app.ts"

const answer = (...parts: object[]) => ({ reply: parts })
const text = (content: string) => ({ text: content })
const call = (tool: string, input: object) => ({ tool, input })

const hook = call("write", { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\necho done\n" })

/** The UI in plain lines, whose user types a line only when it is time. */
async function playingPlain(script: Script) {
  const { source, project } = await playingSource(script)
  const input = new PassThrough()
  const output = new PassThrough()
  const stop = new AbortController()
  let printed = ""
  output.on("data", (piece: Buffer) => (printed += piece.toString()))
  const ended = runPlain({
    ...{
      source,
      input,
      output,
      columns: () => 80,
      theme: createTheme(false),
      commands: commandList(),
      models: memoryModelChoices(),
      history: memoryHistory(),
    },
    ...{ sessionID: undefined, signal: stop.signal, notices: [] },
  })
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  let from = 0
  return {
    project,
    source,
    ended,
    printed: () => printed,
    type: (line: string) => input.write(`${line}\n`),
    endInput: () => input.end(),
    async questions() {
      const [session] = await source.sessions({ limit: 1 })
      return session ? (await source.openSession(session.id)).questions : undefined
    },
    /** Resolves when the text is printed behind what was waited for before. */
    async shows(wanted: string) {
      await expect.poll(() => printed.slice(from), { timeout: 30_000 }).toContain(wanted)
      from = printed.indexOf(wanted, from) + wanted.length
    },
  }
}

describe("the UI in plain lines", () => {
  it("allows a call by a number", async () => {
    const played = await playingPlain([answer(hook), answer(text("Written."))])
    await played.shows("/quit")
    played.type("Add a hook")
    await played.shows('"2 <pattern>" to allow another pattern always, or what to do instead.')

    played.type("1")

    await played.shows("Written.")
    expect(played.printed()).toMatch(/ {2}1 {2}Allow once\n {2}2 {2}Allow always\n {2}3 {2}Reject\n/)
  })

  it("allows another pattern always, if it matches", async () => {
    const other = call("write", { filePath: ".git/hooks/pre-push", content: "#!/bin/sh\n" })
    const played = await playingPlain([answer(hook), answer(other), answer(text("Both."))])
    await played.shows("/quit")
    played.type("Add two hooks")
    await played.shows("what to do instead.")
    played.type("2 .git/config")
    await played.shows('The pattern ".git/config" does not match protected_file')
    played.type("2 .git/hooks/*")

    await played.shows("Both.")
    expect(await access(join(played.project, ".git/hooks/pre-push"))).toBeUndefined()
  })

  it("rejects a call by a number, and with words", async () => {
    const script = [answer(hook), answer(hook), answer(text("Then not."))]
    const played = await playingPlain(script)
    await played.shows("/quit")
    played.type("Add a hook")
    await played.shows("Type a number")
    played.type("9")
    await played.shows("Answer with a number from 1 to 3, or say what to do instead.")
    played.type("3")
    await played.shows("was refused by the user")

    played.type("Add a hook")
    await played.shows("Type a number")
    played.type("use husky")

    await played.shows("says: use")
    await played.shows("Then not.")
    expect(await played.questions()).toEqual([])
  })

  it("answers several questions with several options", async () => {
    const options = ["red", "green", "blue"].map((label) => ({ label, description: `${label} one` }))
    const questions = [
      { header: "Colour", question: "Which colour?", options },
      { header: "More", question: "Which others?", options, multiple: true },
      { header: "Name", question: "Which name?", options },
    ]
    const played = await playingPlain([answer(call("question", { questions })), answer(text("Thanks."))])
    await played.shows("/quit")
    played.type("Ask me")
    await played.shows("Which colour?")
    await played.shows("  3  blue: blue one")
    await played.shows("Type a number")
    played.type("2")
    await played.shows("Type numbers, such as 1 3")
    played.type("4")
    await played.shows("Answer with numbers from 1 to 3, or your own words.")
    played.type("1 3")
    await played.shows("Which name?")
    await played.shows("Type a number")

    played.type("Alice")

    await played.shows("Thanks.")
    expect(played.printed()).toMatch(/green\s+red, blue\s+Alice/)
  })

  it("picks from a list by number, and runs a command behind !", async () => {
    const played = await playingPlain([answer(text("Hi."))])
    await played.shows("/quit")
    played.type("/agent")
    await played.shows("Type a number; an empty line picks nothing.")
    played.type("77")
    await played.shows("Answer with a number from 1 to ")
    played.type("")
    played.type("!echo from the shell")

    await played.shows("! echo from the shell\n    from the shell")
    expect(played.printed()).not.toContain("Hi.")
  })

  it("sends an earlier prompt again after a confirmation", async () => {
    const played = await playingPlain([answer(text("One.")), answer(text("Two.")), answer(text("Three."))])
    await played.shows("/quit")
    played.type("first question")
    await played.shows("One.")
    played.type("second thing")
    await played.shows("Two.")
    played.type("/history nothing like it")
    await played.shows('No earlier prompt has "nothing like it".')
    played.type("/history")
    await played.shows("  1  second thing\n  2  first question")
    await played.shows("Type a number")
    played.type("2")
    await played.shows("Send again: first question")
    await played.shows("Type a number")

    played.type("1")

    await played.shows("> first question")
    await played.shows("Three.")
    expect(await played.questions()).toEqual([])
  })

  it("attaches an image to the next prompt", async () => {
    const played = await playingPlain([answer(text("A dot.")), answer(text("Nothing."))])
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    await writeFile(join(played.project, "dot.png"), Buffer.from(png, "base64"))
    await played.shows("/quit")
    played.type("/attach missing.png")
    await played.shows('"missing.png" is not a PNG')
    played.type("/attach dot.png")
    await played.shows("The next prompt has dot.png.")
    played.type("What is it?")
    await played.shows("A dot.")

    played.type("And now?")
    await played.shows("Nothing.")

    const [session] = await played.source.sessions({ limit: 1 })
    const { messages } = await played.source.openSession(session?.id ?? "")
    const files = messages.map(({ parts }) => parts.flatMap((part) => (part.type === "file" ? [part.filename] : [])))
    expect(files.filter((names) => names.length > 0)).toEqual([["dot.png"]])
    expect(files).toHaveLength(4)
  })

  it("adds a note behind # to a file by number", async () => {
    const played = await playingPlain([answer(text("Hi."))])
    await played.shows("/quit")
    played.type("# Use tabs")
    await played.shows("  1  AGENTS.md, instructions of this project, a new file")
    await played.shows("  3  Send it as a prompt")
    await played.shows("Type a number")

    played.type("1")

    await played.shows('Added below "Notes" of AGENTS.md: Use tabs')
    expect(await readFile(join(played.project, "AGENTS.md"), "utf8")).toBe("## Notes\n\n- Use tabs\n")
  })

  it("leaves a question open when the input ends", async () => {
    const played = await playingPlain([answer(hook), answer(text("Written."))])
    await played.shows("/quit")
    played.type("Add a hook")
    await played.shows("Type a number")

    played.endInput()

    const sessionID = await played.ended
    const { questions } = await played.source.openSession(sessionID ?? "")
    expect(questions).toHaveLength(1)
  })
})

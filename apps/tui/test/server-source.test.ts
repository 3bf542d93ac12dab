import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { servedSession } from "./served-session.ts"

const answer = (...reply: readonly object[]) => ({ reply })
const hook = { tool: "write", input: { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\n" } }
const LONG = { timeout: 30_000 }

describe("a session of a server", () => {
  it("shows prompts, answers and the model", async () => {
    const { send, blocks, view, idle, source } = await servedSession([answer({ text: "Hello." })])

    await send("Hi")
    await idle()

    expect(blocks()).toEqual(["prompt: Hi", "text: Hello."])
    expect(view()).toMatchObject({ agent: "build", model: { providerID: "replay" }, session: { title: "Hi" } })
    expect(await source.sessions({ limit: 10 })).toMatchObject([{ title: "Hi" }])
  })

  it("asks for a permission with the change, and continues with the answer", async () => {
    const { send, blocks, view, source, directory } = await servedSession([answer(hook), answer({ text: "Done." })])

    const sent = send("Add a hook")
    await expect.poll(() => view().questions, LONG).toHaveLength(1)
    const [question] = view().questions
    if (!question) expect.fail("There is no question.")
    const { change, input } = await source.details(question)
    await source.answer(question, { type: "permission", reply: "once" })
    await sent

    expect(input).toMatchObject({ filePath: ".git/hooks/post-commit" })
    expect(change?.lines).not.toEqual([])
    expect(await readFile(join(directory, ".git/hooks/post-commit"), "utf8")).toBe("#!/bin/sh\n")
    expect(view().questions).toEqual([])
    await expect.poll(blocks).toEqual(["prompt: Add a hook", "tool: write completed", "text: Done."])
  })

  it("ends a turn when it is interrupted", async () => {
    const { send, view, source, idle, blocks } = await servedSession([answer({ text: "Half" }, { stall: true })])

    const sent = send("Work")
    await expect.poll(blocks, LONG).toContain("text: Half")
    await source.abort(view().session?.id ?? "")
    await sent
    await idle()

    expect(blocks()).toContain("notice: Interrupted. Your next prompt goes on from here.")
  })

  it("shows waiting prompts apart, and takes them back", async () => {
    const script = [answer({ text: "One" }, { stall: true }), answer({ text: "Two." })]
    const { send, view, source, blocks } = await servedSession(script)

    const sent = [send("Work")]
    await expect.poll(blocks, LONG).toContain("text: One")
    sent.push(send("Also this", "steer"), send("And this", "queue"))
    await expect.poll(() => view().queue, LONG).toHaveLength(2)
    await expect
      .poll(() =>
        view()
          .queue.map(({ text }) => text)
          .toSorted(),
      )
      .toEqual(["Also this", "And this"])
    const queued = view().queue.find(({ mode }) => mode === "queue")
    expect(await source.withdraw(view().session?.id ?? "", queued?.id ?? "")).toBe(true)

    await expect.poll(() => view().queue.map(({ text }) => text)).toEqual(["Also this"])
    expect(blocks().filter((block) => block.startsWith("prompt"))).toEqual(["prompt: Work"])
    await source.abort(view().session?.id ?? "")
    await Promise.allSettled(sent)
  })

  it("undoes and redoes a turn with its files, and reports each", async () => {
    const write = { tool: "write", input: { filePath: "new.txt", content: "new\n" } }
    const { send, view, source, idle, directory } = await servedSession([answer(write), answer({ text: "Written." })])
    await send("Write")
    await idle()
    const id = view().session?.id ?? ""
    const path = join(directory, "new.txt")

    expect((await source.diff(id)).files).toMatchObject([{ file: "new.txt", status: "added" }])
    const undone = await source.undo(id)
    expect(undone.files).toMatchObject([{ path, outcome: "restored" }])
    await expect(readFile(path)).rejects.toThrow("ENOENT")
    const redone = await source.redo(id)

    expect(redone.files).toMatchObject([{ path, outcome: "restored" }])
    expect(await readFile(path, "utf8")).toBe("new\n")
    await expect(source.redo(id)).rejects.toThrow("Nothing is undone.")
  })

  it("attaches files and lines behind @, and refuses unknown commands", async () => {
    const script = [answer({ text: "Read." })]
    const { send, source, view, blocks, directory, idle } = await servedSession(script)
    await writeFile(join(directory, "a.txt"), "one\ntwo\nthree\n")

    await send("Look at @a.txt, @a.txt#L2-3 and @missing.txt")
    await idle()

    const { messages } = await source.openSession(view().session?.id ?? "")
    const texts = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    expect(texts.filter((text) => text.startsWith("Attached"))).toEqual([
      expect.stringContaining("one\ntwo\nthree"),
      expect.stringMatching(/:2-3\n\ntwo\nthree$/),
    ])
    expect(view().blocks[0]).toMatchObject({ attached: ["a.txt", "a.txt:2-3"] })
    await expect(send("/nothing at all")).rejects.toThrow('There is no command "/nothing".')
    expect(blocks().filter((block) => block.startsWith("prompt"))).toHaveLength(1)
  })

  it("removes a session without prompts when another is begun", async () => {
    const { send, shown, view, source, idle } = await servedSession([answer({ text: "Hello." })])
    const first = view().session?.id ?? ""

    await shown.begin()
    await expect(source.openSession(first)).rejects.toThrow(first)
    await send("Hi")
    await idle()
    const second = view().session?.id ?? ""
    await shown.begin()

    expect((await source.openSession(second)).messages).toHaveLength(2)
  })
})

describe("a server that was away", () => {
  const script = [answer({ text: "One." }), answer({ text: "Two." }), answer({ text: "Three." })]

  it.each([
    ["reports what was missed", true],
    ["forgets what was missed, and the session is read again", false],
  ])("%s, and nothing is doubled", async (_name, keepsPositions) => {
    const { send, stop, start, blocks, view, idle } = await servedSession(script, { keepsPositions })
    await send("First")
    await idle()
    const { spending } = view()

    await stop()
    await expect.poll(() => blocks().at(-1), LONG).toMatch(/^notice: The server is away since \d\d:\d\d:\d\d\./)
    await expect(send("Lost")).rejects.toThrow(/^The server does not answer since \S+, so the prompt was not sent\.$/)
    await start()
    await expect.poll(() => blocks().at(-1), LONG).toMatch(/^notice: The server is back after /)
    expect(view().spending).toEqual(spending)
    await send("Second")
    await idle()

    expect(blocks().filter((block) => !block.startsWith("notice"))).toEqual([
      ...["prompt: First", "text: One.", "prompt: Second", "text: Two."],
    ])
  })
})

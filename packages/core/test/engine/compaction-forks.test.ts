import { memoryStorage } from "@pawl/storage-memory"
import { scriptedModel } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { conversation, said as words } from "../conversation.ts"
import { testEngine, testTool } from "../engine-fixture.ts"
import { calls, look, looking, said, textOf, windowModel } from "../window-model.ts"
import { createIDSource } from "../../src/base/ids.ts"
import { collected } from "../../src/base/collected.ts"
import type { Session } from "../../src/record/message.ts"

const DAY = 24 * 60 * 60_000

describe("a fork", () => {
  it("starts with the first message where only a prepared summary has come along, and no compaction in effect", async () => {
    await using test = await testEngine({ model: scriptedModel([]) })
    const { engine, storage, session } = test
    const talk = conversation(createIDSource(Date.now), session.id)
    talk.user(words("one"))
    const tail = talk.assistant({}, words("answer one")).info.id
    talk.user({ type: "compaction", auto: true, prepared: true })
    talk.assistant({ summary: true }, words("so far one"))
    const { messageID } = talk.user(words("two")).parts[0] ?? expect.fail()
    // This one is in effect, and stays behind.
    talk.user({ type: "compaction", auto: true, tail_start_id: tail })
    talk.assistant({ summary: true }, words("so far two"))
    await talk.commit(storage)
    await storage.commit(session.id, [{ type: "session.patch", changes: { boundary: tail } }])

    const fork = await engine.forkSession({ sessionID: session.id, messageID })

    const texts = (await storage.readContext(fork.id)).messages.map(({ parts: [part] }) => {
      return part?.type === "text" ? part.text : part?.type
    })
    expect(texts).toEqual(["one", "answer one", "compaction", "so far one"])
  })

  it("keeps the paths that were modified in it, also where its clock is behind that of its source", async () => {
    const storage = memoryStorage()
    const paths: string[] = []
    const write = testTool("write", async () => "", {
      async execute(input) {
        const path = String(input["path"])
        const output = `Wrote ${path}. ${"x".repeat(3000)}`
        return { title: path, output, metadata: { filepath: path, diff: "+", hash: `hash of ${path}` } }
      },
    })
    /** Writes one file for each prompt. */
    const writing = (at: string) => {
      return windowModel({
        context: 100_000,
        agent(_request, n) {
          if (n % 2 === 1) return said("Written.")
          paths.push(`/${at}-${n}.ts`)
          return calls("write", { path: paths.at(-1) }, `${at}_${n}`)
        },
      })
    }
    const start = Date.now()
    const source = await testEngine({ model: writing("source"), tools: [write], storage, now: () => start })
    const { session } = source
    for (let turn = 0; turn < 4; turn++) await source.ask("Write.")
    await source.engine.compact(session.id)
    await source.engine.close()
    const model = writing("fork")
    await using test = await testEngine({ model, tools: [write], storage, now: () => start - DAY, session })
    const fork = await test.engine.forkSession({ sessionID: session.id })
    const ask = (text: string) => test.engine.prompt({ sessionID: fork.id, parts: [{ type: "text", text }] })
    for (let turn = 0; turn < 4; turn++) await ask("Write.")

    expect(await test.engine.compact(fork.id)).toMatchObject({ outcome: { type: "applied" } })
    await ask("And now?")

    const next = textOf(model.asked[8] ?? expect.fail())
    expect(next).toContain("What did we do so far?")
    expect(paths.slice(0, 8).filter((path) => !next.includes(path))).toEqual([])
  })
})

describe("engines whose clocks stand, a day before or behind each other's", () => {
  it("compact one session in turn, and each answers its prompt", async () => {
    const storage = memoryStorage()
    const start = Date.now()
    let session: Session | undefined
    for (const [turn, offset] of [0, -DAY, -2 * DAY, DAY / 24, -DAY].entries()) {
      const model = windowModel({ context: 20_000, agent: looking(30) })
      const options = { model, tools: [look], storage, now: () => start + offset }
      await using test = await testEngine({ ...options, ...(session ? { session } : {}) })
      session ??= test.session
      expect(await test.ask(`Prompt ${turn}.`)).toMatchObject({ type: "answered" })
      expect(model.summaries.length).toBeGreaterThan(0)
      expect(model.asked.filter((request) => !textOf(request).includes(`Prompt ${turn}.`))).toEqual([])
      const ids = (await collected(storage.readMessages(session.id))).map(({ info }) => info.id)
      expect(ids.toReversed()).toEqual(ids.toSorted())
    }
  })
})

describe("a session from OpenCode whose compaction failed there", () => {
  it("is not compacted unasked", async () => {
    const model = windowModel({ context: 100_000, agent: () => said("Hi.") })
    await using test = await testEngine({ model, tools: [look] })
    const { storage, session } = test
    const talk = conversation(createIDSource(Date.now), session.id, model.ref)
    talk.user(words("first ".repeat(3000)))
    talk.assistant({}, words("answer"))
    talk.user({ type: "compaction", auto: false })
    const error = { name: "APIError", data: { message: "It is not there." } } as const
    const failed = talk.assistant({ summary: true, mode: "compaction", error }).info
    // It says nothing of how it ended.
    if (failed.role === "assistant") delete (failed as { finish?: string }).finish
    await talk.commit(storage)

    expect(await test.ask("Hi")).toMatchObject({ type: "answered" })

    expect(model.summaries).toEqual([])
    const stored = await collected(storage.readMessages(session.id))
    expect(stored.filter(({ info }) => info.role === "assistant" && info.summary)).toHaveLength(1)
  })
})

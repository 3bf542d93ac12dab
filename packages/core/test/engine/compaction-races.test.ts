import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { conversation, said as words } from "../conversation.ts"
import { type TestEngine, testEngine, testTool } from "../engine-fixture.ts"
import { dying } from "../storages.ts"
import {
  around,
  calls,
  isSummarizer,
  look,
  looking,
  plugin,
  said,
  textOf,
  told,
  type WindowModel,
  windowModel,
  type WindowModelOptions,
} from "../window-model.ts"
import { compactionsOf } from "../../src/record/compaction-record.ts"
import { createIDSource } from "../../src/base/ids.ts"
import type { Storage, Write } from "../../src/contracts/storage.ts"
import type { Session } from "../../src/record/message.ts"

/** Nothing is prepared in the background. */
const FULL = { soft: 1 }

async function pending(test: TestEngine) {
  return compactionsOf(await test.messages()).filter(({ summary }) => !summary)
}

describe("a prompt that a hook holds up", () => {
  it.each(["until the conversation is compacted", "until the run has ended"])("%s is answered", async (until) => {
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = plugin("slow", {
      async "chat.message"(_input, { parts }) {
        if (!JSON.stringify(parts).includes("SECOND")) return
        arrived.resolve()
        await released.promise
      },
      "session.compacted": () => (until.includes("compacted") ? released.resolve() : undefined),
    })
    let second: Promise<unknown> | undefined
    const tool = testTool("look", async ({ at }) => {
      // Its id is made before those of the compaction.
      if (at === "place 12") second ??= test.ask("SECOND request")
      await (second && arrived.promise)
      return `${String(at)}: ${"x".repeat(3000)}`
    })
    const model = windowModel({ context: 20_000, agent: looking(26) })
    await using test = await testEngine({ model, tools: [tool], plugins: [slow], compaction: FULL })

    expect(await test.ask("FIRST request")).toMatchObject({ type: "answered" })
    released.resolve()

    expect(await second).toMatchObject({ type: "answered" })
    expect(told(test.events).length).toBeGreaterThan(0)
    expect(model.asked.some((request) => textOf(request).includes("SECOND request"))).toBe(true)
  })
})

describe("what is answered while a summary is made in the background", () => {
  const big: Record<string, number> = { "big 0": 29_000, "big 1": 29_000, "big 2": 29_000 }
  const outputs = testTool("look", async ({ at }) => `${String(at)}: ${"x".repeat(big[String(at)] ?? 3000)}`, {
    effect: "pure",
  })

  /** Looks at three large places at once after ten small ones: together they leave no room for a tail. */
  const parallel: WindowModelOptions["agent"] = (request, n) => {
    if (n === 10) return Object.keys(big).flatMap((at) => calls("look", { at }, at.replace(" ", "_")))
    return looking(30)(request, n)
  }

  /** Places whose results are neither in the request nor in what a summarizer has read. */
  async function lost(test: TestEngine, model: WindowModel, request = model.asked.at(-1)) {
    const read = [...(request ? [request] : []), ...model.summaries].map((each) => textOf(each)).join("")
    const places: string[] = []
    for await (const { parts } of test.storage.readMessages(test.session.id)) {
      places.push(...parts.flatMap((part) => (part.type === "tool" ? [String(part.state.input["at"])] : [])))
    }
    expect(places.length).toBeGreaterThan(10)
    return places.filter((place) => !read.includes(`${place}: `))
  }

  it.each([
    { when: "nothing is to stay word for word", agent: looking(60), prompt: "Go", compaction: { tail_turns: 0 } },
    { when: "the newest outputs are larger than a tail may be", agent: parallel, prompt: "Go", compaction: {} },
    { when: "the request nearly fills the window", agent: looking(14), prompt: "p".repeat(116_000), compaction: {} },
  ])("stays, or is in the summary, where $when", async ({ agent, prompt, compaction }) => {
    const model = windowModel({ context: 40_000, agent })
    await using test = await testEngine({ model, tools: [outputs], compaction })

    expect(await test.ask(prompt)).toMatchObject({ type: "answered" })

    expect(told(test.events).length).toBeGreaterThan(0)
    expect(await lost(test, model)).toEqual([])
  })

  it("leaves a queued prompt in its place that sorts before the answer under way", async () => {
    const model = windowModel({ context: 60_000, agent: looking(60) })
    const compaction = { soft: 0.5, preserve_recent_tokens: 3000 }
    await using test = await testEngine({ model, tools: [look], compaction })
    const { id } = test.session
    const talk = conversation(createIDSource(Date.now), id, model.ref)
    const result = (output: string) => {
      const state = { status: "completed", input: {}, output, title: "", metadata: {}, time: { start: 1, end: 1 } }
      return { type: "tool", tool: "look", callID: `call_${output.length}`, state }
    }
    const first = talk.user(words("first request"))
    talk.assistant({ finish: "tool-calls" }, result("z".repeat(125_000)))
    talk.user(words("QUEUED request"))
    talk.assistant({ parentID: first.info.id, finish: "tool-calls" }, result("w".repeat(400)))
    await talk.commit(test.storage)

    expect(await test.engine.resume(id)).toMatchObject({ type: "answered" })

    expect(told(test.events).length).toBeGreaterThan(0)
    const whole = model.asked.filter(({ messages }) => {
      return messages.some(({ content }) =>
        content.some((item) => item.type === "text" && item.text === "QUEUED request"),
      )
    })
    expect(whole.length).toBe(model.asked.length)
  })
})

describe("a compaction that is asked for", () => {
  it("does not stay pending where the run that it joined is aborted", async () => {
    const started = Promise.withResolvers<void>()
    const hanging = testTool("look", async (_input, { signal }) => {
      started.resolve()
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
      return "Nothing."
    })
    await using test = await testEngine({
      model: windowModel({ context: 200_000, agent: looking(10) }),
      tools: [hanging],
    })
    const asked = test.ask("Go")
    await started.promise
    const compacting = test.engine.compact(test.session.id)
    await expect.poll(() => pending(test), { interval: 5 }).toHaveLength(1)

    await test.engine.abort(test.session.id)

    expect(await Promise.all([asked, compacting])).toMatchObject([{ type: "aborted" }, { type: "aborted" }])
    expect(await pending(test)).toEqual([])
  })

  it("is settled in the commit that puts a prepared summary into effect", async () => {
    const commits: (readonly Write[])[] = []
    const storage = dying(memoryStorage(), (_n, writes) => (commits.push(writes), false))
    const model = windowModel({ context: 40_000, agent: looking(42) })
    await using test = await testEngine({ model, tools: [look], storage, compaction: { soft: 0.5 } })
    await test.ask("Go")
    const paid = model.summaries.length

    const result = await test.engine.compact(test.session.id)

    expect(result).toMatchObject({ type: "compacted", outcome: { type: "applied" } })
    expect(model.summaries.length).toBe(paid)
    const settling = commits.filter((writes) => writes.some(({ type }) => type === "message.remove"))
    expect(settling).toHaveLength(1)
    const applied = settling[0]?.filter((write) => {
      return write.type === "part.put" && write.part.type === "compaction" && write.part.prepared !== true
    })
    expect(applied).toHaveLength(1)
  })
})

describe("an automatic compaction that was left behind", () => {
  /** A session whose process died while it compacted. */
  async function left(storage: Storage): Promise<Session> {
    const model = windowModel({ context: 20_000, agent: looking(40) })
    await using test = await testEngine({ model, tools: [look], storage, compaction: FULL })
    await test.ask("Go").catch(() => undefined)
    return test.session
  }

  it("is not made any more where compaction has been switched off", async () => {
    const storage = memoryStorage()
    const isSummary = (write: Write) => {
      return write.type === "message.put" && write.message.role === "assistant" && write.message.summary === true
    }
    const session = await left(dying(storage, (_n, writes) => writes.some((write) => isSummary(write))))
    const model = windowModel({ context: 200_000, agent: looking(40) })
    await using test = await testEngine({ model, tools: [look], storage, session, compaction: { auto: false } })
    expect(await pending(test)).toHaveLength(1)

    expect(await test.ask("Go on")).toMatchObject({ type: "answered" })
    expect(model.summaries).toEqual([])
    expect(await pending(test)).toEqual([])
  })

  it("is not made any more where the next prompt is for a model with a larger window", async () => {
    let isAborted = false
    const inner = windowModel({ context: 20_000, agent: looking(60) })
    const small = around(inner, async function* (request, signal, stream) {
      if (isSummarizer(request) && !isAborted) {
        isAborted = true
        void test.engine.abort(test.session.id)
        await new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      }
      yield* stream(request, signal)
    })
    const large = windowModel({ context: 1_000_000, agent: () => said("Done."), providerID: "large" })
    await using test = await testEngine({ model: small, tools: [look], compaction: FULL }, large)
    expect(await test.ask("Go")).toMatchObject({ type: "aborted" })

    const parts = [{ type: "text", text: "Use the large one." }] as const
    const result = await test.engine.prompt({ sessionID: test.session.id, parts, model: large.ref })

    expect(result).toMatchObject({ type: "answered" })
    expect([...inner.summaries, ...large.summaries]).toEqual([])
    expect(large.asked).toHaveLength(1)
  })
})

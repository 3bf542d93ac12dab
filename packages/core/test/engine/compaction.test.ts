import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { calls, look, looking, said, summary, textOf, told, windowModel } from "../window-model.ts"
import { definePlugin } from "../../src/plugin.ts"
import type { ModelRequest } from "../../src/contracts/model.ts"
import { compactionsOf } from "../../src/record/compaction-record.ts"

describe("a context that grows beyond its window", () => {
  it("is compacted, and the turn goes on to its answer", async () => {
    const model = windowModel({ context: 20_000, agent: looking(40) })
    await using test = await testEngine({ model, tools: [look] })

    const result = await test.ask("Look everywhere, and keep the secret word XYZZY.")

    expect(result).toMatchObject({ type: "answered" })
    expect(model.summaries.length).toBeGreaterThan(0)
    const last = textOf(model.asked.at(-1) as ModelRequest)
    expect(last).toContain("XYZZY")
    expect(last).toContain("What did we do so far?")
    expect(test.events.filter(({ type }) => type === "session.compacted").length).toBeGreaterThan(0)
    expect(test.events.filter(({ type }) => type === "session.error")).toEqual([])
  })

  it("is never sent when it does not fit", async () => {
    const model = windowModel({ context: 20_000, agent: looking(40) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    const refused = (await test.parts("retry")).length
    expect(refused).toBe(0)
    expect((await test.messages()).filter(({ info }) => info.role === "assistant" && info.error)).toEqual([])
  })

  it("goes on without a model's summary where the summarizer fails", async () => {
    const model = windowModel({
      context: 20_000,
      agent: looking(40),
      summarizer: () => {
        throw new Error("The summarizer is broken.")
      },
    })
    await using test = await testEngine({ model, tools: [look], compaction: { soft: 1 } })
    const result = await test.ask("Look everywhere, and keep the secret word XYZZY.")
    expect(result).toMatchObject({ type: "answered" })
    const compactions = told(test.events)
    expect(compactions.map(({ strategy }) => strategy)).toContain("extract")
    expect(compactions[0]?.reason).toContain("broken")
    expect(textOf(model.asked.at(-1) as ModelRequest)).toContain("XYZZY")
  })

  it("ends the turn with an error that says what to do where compaction is switched off", async () => {
    const model = windowModel({ context: 20_000, agent: looking(40) })
    await using test = await testEngine({ model, tools: [look], compaction: { auto: false } })
    const result = await test.ask("Look everywhere.")
    expect(result).toMatchObject({ type: "failed", error: { name: "ContextOverflowError" } })
    expect(result.type === "failed" && result.error.data.message).toContain("pawl session compact")
    expect(model.summaries).toEqual([])
  })

  it("is not compacted where what is fixed does not fit: the error names it", async () => {
    const model = windowModel({ context: 8000, agent: looking(1) })
    const big = testTool("big", async () => "", { description: "y".repeat(40_000) })
    await using test = await testEngine({ model, tools: [big] })
    const result = await test.ask("Hi")
    expect(result).toMatchObject({ type: "failed", error: { name: "ContextOverflowError" } })
    expect(result.type === "failed" && result.error.data.message).toContain("tools")
    expect(model.summaries).toEqual([])
  })
})

describe("a prompt of about a whole window or more", () => {
  it.each([95_000, 105_000, 116_000, 1_000_000])(
    "of %s characters is answered, as is what comes after it",
    async (size) => {
      const agent = (request: ModelRequest, n: number) =>
        textOf(request).includes("Forget") ? said("Hi.") : looking(40)(request, n)
      const model = windowModel({ context: 40_000, agent })
      await using test = await testEngine({ model, tools: [look] })
      expect(await test.ask(`Read this. ${"p".repeat(size)}`)).toMatchObject({ type: "answered" })
      expect(await test.ask("Forget it; say hi.")).toMatchObject({ type: "answered" })
      expect(await test.engine.compact(test.session.id)).toMatchObject({ outcome: { type: "applied" } })
      expect(await test.ask("Forget it.")).toMatchObject({ type: "answered" })
    },
  )
})

describe("a compaction that is asked for", () => {
  it("replaces what was said by a summary, with the user's focus", async () => {
    const model = windowModel({ context: 100_000, agent: looking(6) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")

    const result = await test.engine.compact(test.session.id, { focus: "the places" })

    expect(result).toMatchObject({ type: "compacted", outcome: { type: "applied" } })
    expect(textOf(model.summaries[0] as ModelRequest)).toContain("the places")
    await test.ask("And now?")
    const last = model.asked.at(-1) as ModelRequest
    expect(textOf(last)).toContain(JSON.stringify(summary()).slice(1, -1))
    expect(textOf(last)).not.toContain("place 1:")
  })

  it("sends the summarizer the conversation as the provider has it in its cache", async () => {
    const model = windowModel({ context: 100_000, agent: looking(6) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    await test.engine.compact(test.session.id)
    const before = model.asked.at(-1) as ModelRequest
    const summarizing = model.summaries[0] as ModelRequest
    const shared = summarizing.messages.length - 1
    expect(shared).toBeGreaterThan(3)
    expect(summarizing.system).toEqual(before.system)
    expect(summarizing.tools).toEqual(before.tools)
    expect(summarizing.messages.slice(0, shared)).toEqual(before.messages.slice(0, shared))
  })
})

describe("the record of a compaction", () => {
  it("keeps the whole history, and one summary for each marker", async () => {
    const model = windowModel({ context: 20_000, agent: looking(40) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    const all = []
    for await (const message of test.storage.readMessages(test.session.id)) all.push(message)
    all.reverse()
    const outputs = all.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
    expect(outputs.length).toBe(40)
    for (const { marker } of compactionsOf(all)) {
      const own = all.filter(
        ({ info }) => info.role === "assistant" && info.summary && info.parentID === marker.info.id,
      )
      expect(own.length).toBeLessThanOrEqual(1)
    }
  })
})

describe("a summary that is prepared while the agent works", () => {
  it("is put into effect when the window is full, without another call", async () => {
    const order: string[] = []
    const model = windowModel({
      context: 40_000,
      agent: (request, n) => (order.push("agent"), looking(90)(request, n)),
      summarizer: () => (order.push("summary"), summary()),
    })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    const { length: used } = told(test.events)
    expect(used).toBeGreaterThan(0)
    const begun = test.events.flatMap((event) =>
      event.type === "session.compacting" ? [event.properties.background] : [],
    )
    expect(begun).not.toContain(false)
    // The last of them may not have been needed any more.
    expect(model.summaries.length - used).toBeLessThanOrEqual(1)
    expect(begun.length).toBe(model.summaries.length)
    // The agent worked on between the summary and its use.
    const first = order.indexOf("summary")
    expect(order.slice(first + 1, first + 3)).toEqual(["agent", "agent"])
  })

  it("is ended with the run, and nothing stays busy", async () => {
    let ended = 0
    const base = windowModel({
      context: 40_000,
      agent: (_request, n) => (n < 30 ? calls("look", { at: `place ${n}` }, `call_${n}`) : said("Done.")),
    })
    const slow = {
      ...base,
      async *stream(request: ModelRequest, signal: AbortSignal) {
        if (JSON.stringify(request.messages.at(-1)).includes("Answer with the summary alone")) {
          await new Promise<void>((resolve) =>
            signal.addEventListener("abort", () => (ended++, resolve()), { once: true }),
          )
          signal.throwIfAborted()
        }
        yield* base.stream(request, signal)
      },
    }
    await using test = await testEngine({ model: slow, tools: [look], compaction: { soft: 0.3 } })
    expect((await test.ask("Look everywhere.")).type).toBe("answered")
    expect(ended).toBe(1)
    expect(test.events.at(-1)?.type).toBe("session.idle")
    // What was begun is not begun again by the next prompt.
    expect((await test.ask("And?")).type).toBe("answered")
    expect(ended).toBe(1)
  })
})

describe("a provider that refuses a request as too long", () => {
  it.each([
    ["smaller than it says", 100_000],
    ["not known", 0],
  ])("whose window is %s: the context is compacted, and the turn goes on", async (_name, claimed) => {
    const base = windowModel({ context: 20_000, output: 500, agent: looking(40) })
    const model = { ...base, info: { ...base.info, limit: { context: claimed, output: 500 } } }
    await using test = await testEngine({ model, tools: [look] })
    const result = await test.ask("Look everywhere. The word is XYZZY.")
    expect(result).toMatchObject({ type: "answered" })
    expect(textOf(base.asked.at(-1) as ModelRequest)).toContain("XYZZY")
    expect(test.events.filter(({ type }) => type === "session.compacted").length).toBeGreaterThan(0)
    // Only the refused requests were in vain, and none of them is in the history.
    const answers = (await test.messages()).filter(({ info }) => info.role === "assistant" && info.error)
    expect(answers).toEqual([])
  })
})

describe("old tool outputs", () => {
  const session = async (now: () => number) => {
    const model = windowModel({ context: 400_000, agent: looking(20) })
    const big = testTool("look", async (input) => `${String(input["at"])}: ${"x".repeat(12_000)}`, { effect: "pure" })
    const test = await testEngine({ model, tools: [big], now })
    for (const ask of ["One?", "Two?", "Three?"]) await test.ask(ask)
    return { test, model }
  }
  const cleared = (request: ModelRequest) => textOf(request).split("[Old tool result content cleared]").length - 1

  it("are cleared in one batch once the provider's cache has expired", async () => {
    let time = Date.now()
    const { test, model } = await session(() => time)
    await using _ = test
    expect(cleared(model.asked.at(-1) as ModelRequest)).toBe(0)
    time += 6 * 60_000
    await test.ask("Four?")
    expect(cleared(model.asked.at(-1) as ModelRequest)).toBeGreaterThan(20)
    expect(told(test.events).map(({ strategy }) => strategy)).toEqual(["prune"])
    const stored = (await test.parts("tool")).flatMap(({ state }) =>
      state.status === "completed" && state.time.compacted ? [state.output] : [],
    )
    expect(stored.every((output) => output.includes("xxxx"))).toBe(true)
  })

  it("stay where the cache is worth more, and where clearing is switched off", async () => {
    const { test, model } = await session(Date.now)
    await using _ = test
    await test.ask("Four?")
    expect(cleared(model.asked.at(-1) as ModelRequest)).toBe(0)
  })
})

describe("a fork of a compacted conversation", () => {
  it("asks what its source asks, with its tail, what it keeps, and its pinned notes", async () => {
    const keeper = definePlugin(() => ({
      "session.compacting": ({ messageIDs }, output) => void (output.keep = messageIDs.slice(1, 2)),
    }))
    const model = windowModel({ context: 20_000, agent: looking(30) })
    await using test = await testEngine({
      model,
      tools: [look],
      compaction: { soft: 1 },
      plugins: [{ id: "keeper", plugin: keeper }],
    })
    await test.ask("Look everywhere.")
    await test.engine.pin(test.session.id, "Never push.")
    const fork = await test.engine.forkSession({ sessionID: test.session.id })
    const parts = [{ type: "text", text: "And now?" }] as const
    const next = async (sessionID: typeof fork.id) => {
      const before = model.asked.length
      await test.engine.prompt({ sessionID, parts })
      return model.asked[before]?.messages.flatMap(({ content }) =>
        content.map((item) =>
          item.type === "text" ? item.text : item.type === "tool-result" ? item.output : item.type,
        ),
      )
    }
    const asked = await next(test.session.id)
    expect(asked?.[0]).toBe("What did we do so far?")
    expect(asked?.join()).toContain("Never push.")
    expect(await next(fork.id)).toEqual(asked)
    const { messages } = await test.storage.readContext(fork.id)
    const all = []
    for await (const message of test.storage.readMessages(fork.id)) all.push(message)
    expect(messages.length).toBeLessThan(all.length)
  })
})

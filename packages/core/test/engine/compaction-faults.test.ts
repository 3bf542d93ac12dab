import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { type TestEngine, testEngine, testTool } from "../engine-fixture.ts"
import { allStorages, dying } from "../storages.ts"
import {
  calls,
  look,
  looking,
  plugin,
  said,
  textOf,
  told,
  windowModel,
  type WindowModelOptions,
} from "../window-model.ts"
import { compactionsOf } from "../../src/record/compaction-record.ts"
import type { ModelRequest } from "../../src/contracts/model.ts"
import type { Storage } from "../../src/contracts/storage.ts"
import { collected } from "../../src/base/collected.ts"
import type { Session } from "../../src/record/message.ts"

const write = testTool("write", async (input) => `Wrote ${String(input["path"])}.`, {
  async execute(input) {
    const path = String(input["path"])
    return { title: path, output: `Wrote ${path}.`, metadata: { filepath: path, diff: "+", hash: `hash of ${path}` } }
  },
})

describe.each(allStorages)("a compaction that is killed, over $name", ({ open }) => {
  it("leaves the history complete and at most one summary for a marker, wherever it was, and the next prompt works", async () => {
    let kills = 0
    let compactions = 0
    for (let after = 1; ; after++) {
      const storage = await open()
      const model = windowModel({ context: 12_000, agent: looking(16) })
      let session: Session | undefined
      let outputs = 0
      {
        const mortal = dying(storage, (n) => n >= after)
        await using test = await testEngine({ model, tools: [look], storage: mortal })
        session = test.session
        const ended = await test.ask("Look everywhere. The word is XYZZY.").catch(() => undefined)
        compactions = told(test.events).length
        if (ended) break
        kills++
        outputs = await countOutputs(storage, session)
      }
      await using test = await testEngine({
        model: windowModel({ context: 12_000, agent: looking(16) }),
        tools: [look],
        storage,
        session,
      })
      const result = await test.ask("Go on.")
      expect(result.type, `killed at commit ${after}`).toBe("answered")
      expect(await countOutputs(storage, session)).toBeGreaterThanOrEqual(outputs)
      const all = await history(storage, session)
      for (const { marker } of compactionsOf(all)) {
        const own = all.filter(({ info }) => info.role === "assistant" && info.parentID === marker.info.id)
        expect(own.length).toBeLessThanOrEqual(1)
      }
    }
    expect(kills).toBeGreaterThan(20)
    expect(compactions).toBeGreaterThan(0)
  })
})

describe("a turn that is killed at any commit while a summary is made", () => {
  const keeper = plugin("keeper", {
    "session.compacting": ({ messageIDs }, output) => void (output.keep = messageIDs.slice(0, 1)),
  })
  const cases = [
    { how: "in the background", compaction: { soft: 0.4 } },
    { how: "because the provider refused the request", claimed: 100_000 },
    { how: "beside what a hook keeps", plugins: [keeper] },
    { how: "because somebody asked for it", isAsked: true },
  ]

  it.each(cases)("$how: the next prompt is answered, with the request before it", async (given) => {
    const { compaction = { soft: 1 }, claimed = 12_000, plugins = [], isAsked = false } = given
    const make = () => {
      const agent: WindowModelOptions["agent"] = (request, n) => (n < 16 ? looking(99)(request, n) : said("Done."))
      const inner = windowModel({ context: 12_000, output: 500, agent })
      const model = { ...inner, info: { ...inner.info, limit: { context: claimed, output: 500 } } }
      return { asked: inner.asked, options: { model, tools: [look], compaction, plugins } }
    }
    const run = async (test: TestEngine) => {
      await test.ask("Look everywhere. The word is XYZZY.")
      if (isAsked) await test.engine.compact(test.session.id)
    }
    // What lies before the first compaction is the same for all.
    let first: number | undefined
    let last = 0
    {
      const counted = dying(memoryStorage(), (n, writes) => {
        last = n
        if (writes.some((write) => write.type === "part.put" && write.part.type === "compaction")) first ??= n
        return false
      })
      await using test = await testEngine({ ...make().options, storage: counted })
      await run(test)
      expect(told(test.events).length).toBeGreaterThan(0)
    }
    for (let after = first ?? expect.fail(); after <= last; after++) {
      const storage = memoryStorage()
      const killed = make()
      let session: Session
      {
        await using test = await testEngine({ ...killed.options, storage: dying(storage, (n) => n >= after) })
        session = test.session
        await run(test).catch(() => undefined)
      }
      const next = make()
      await using test = await testEngine({ ...next.options, storage, session })
      expect((await test.ask("SECOND prompt.")).type, `killed at commit ${after}`).toBe("answered")
      const texts = next.asked.map((request) => textOf(request))
      expect(texts.some((text) => text.includes("SECOND"))).toBe(true)
      expect(texts.filter((text) => !text.includes("XYZZY"))).toEqual([])
      const all = await history(storage, session)
      expect(all.filter(({ info }) => info.role === "assistant" && info.time.completed === undefined)).toEqual([])
    }
  })

  it("is resumed after a compaction that somebody asked for meanwhile", async () => {
    const storage = memoryStorage()
    const model = windowModel({ context: 200_000, agent: looking(40) })
    let session: Session
    {
      await using test = await testEngine({ model, tools: [look], storage: dying(storage, (n) => n > 24) })
      session = test.session
      await test.ask("Go").catch(() => undefined)
    }
    const next = windowModel({ context: 200_000, agent: () => said("Went on.") })
    const compaction = { preserve_recent_tokens: 2000 }
    await using test = await testEngine({ model: next, tools: [look], storage, session, compaction })
    expect(await test.engine.compact(session.id)).toMatchObject({ outcome: { type: "applied", goesOn: true } })
    expect(await test.engine.resume(session.id)).toMatchObject({ type: "answered" })
    expect(next.asked).toHaveLength(1)
  })
})

describe("ten compactions in a row with a summarizer that writes garbage", () => {
  it("keep pinned notes, the open request, the agent, the model and every modified path", async () => {
    const paths = Array.from({ length: 12 }, (_, at) => `/src/module-${at}.ts`)
    let step = 0
    const model = windowModel({
      context: 40_000,
      agent: () => {
        const at = step++
        return at < paths.length ? calls("write", { path: paths[at] }, `call_${at}`) : said("Written.")
      },
      summarizer: (_request, n) => "garbage ".repeat(30 + n),
    })
    await using test = await testEngine({ model, tools: [look, write] })
    const pin = { id: "pin_1", text: "Never touch `legacy/`: Ümläut ✂ exact.", time: { created: 1 } }
    await test.storage.commit(test.session.id, [{ type: "session.patch", changes: { pins: [pin] } }])
    await test.ask("Write all modules,\n  exactly as I say.")
    const states: string[] = []
    for (let round = 0; round < 10; round++) {
      await test.engine.compact(test.session.id)
      await test.ask(`Round ${round}?`)
      const request = model.asked.at(-1) as ModelRequest
      const state = request.messages[2]
      const texts =
        state?.role === "user" ? state.content.flatMap((item) => (item.type === "text" ? [item.text] : [])) : []
      // What the user said grows by each round.
      const said = texts.filter((text) => text.startsWith("What the user said so far"))
      expect(said.join()).toContain("Write all modules, exactly as I say.")
      states.push(texts.filter((text) => !said.includes(text)).join("\n"))
      expect(textOf(request)).toContain(`Round ${round}?`)
      for (const path of paths) expect(states.at(-1)).toContain(path)
      expect(states.at(-1)).toContain(pin.text)
      expect(states.at(-1)).toContain('the agent "build" on test/window')
    }
    expect(new Set(states).size).toBe(1)
  })
})

describe("a history of a million tokens", () => {
  it("is compacted by a summarizer with a window of 8,000", async () => {
    const small = windowModel({ context: 8000, providerID: "small", agent: () => said("Never asked.") })
    const large = windowModel({ context: 2_000_000, agent: looking(400) })
    await using test = await testEngine(
      {
        model: large,
        tools: [
          testTool("look", async (input) => `${String(input["at"])}: ${"word ".repeat(2000)}`, { effect: "pure" }),
        ],
        agents: [{ name: "compaction", model: { providerID: "small", modelID: "window" } }],
        outputLimits: { bytes: 20_000, lines: 2000 },
      },
      small,
    )
    await test.ask("Look everywhere.")
    const before = large.asked.at(-1) as ModelRequest
    expect(Buffer.byteLength(textOf(before))).toBeGreaterThan(4_000_000)

    const result = await test.engine.compact(test.session.id)

    expect(result).toMatchObject({ type: "compacted", outcome: { type: "applied" } })
    expect(small.summaries.length).toBeGreaterThan(0)
    expect(small.summaries.length).toBeLessThanOrEqual(3)
    expect(told(test.events)[0]?.strategy).toBe("summary")
  })
})

async function history(storage: Storage, session: Session) {
  return (await collected(storage.readMessages(session.id))).toReversed()
}

async function countOutputs(storage: Storage, session: Session): Promise<number> {
  const all = await history(storage, session)
  return all.flatMap(({ parts }) => parts.filter((part) => part.type === "tool")).length
}

it("a compaction makes no further call once the run's limit is spent, and is made without a model", async () => {
  const model = windowModel({ context: 100_000, agent: looking(6), summarizer: () => "No." })
  await using test = await testEngine({ model, tools: [look] })
  await test.ask("Look everywhere.")
  await test.engine.compact(test.session.id)
  expect(model.summaries.length).toBeGreaterThan(1)
  await test.ask("Once more.")
  const before = model.summaries.length
  test.engine.update({ limits: { requests: 1 } })
  await test.engine.compact(test.session.id)
  expect(model.summaries).toHaveLength(before + 1)
  await test.ask("And again.")
  test.engine.update({ limits: { cost: 1e-9 } })
  await test.engine.compact(test.session.id)
  expect(model.summaries).toHaveLength(before + 1)
})

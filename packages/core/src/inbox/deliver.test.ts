import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { answeringModel, lastPrompt, silence } from "../../test/answering-model.ts"
import { type TestEngine, testEngine, testTool } from "../../test/engine-fixture.ts"
import { dying, stopping, storages } from "../../test/storages.ts"
import { called, said } from "../../test/streaming-model.ts"
import { around, isSummarizer, look, looking, textOf, told, windowModel } from "../../test/window-model.ts"
import { rounds } from "../../test/rounds.ts"
import { seeded } from "../../test/seeded.ts"
import { createEngine } from "../create-engine.ts"
import type { PromptRequest } from "../sessions/prompting.ts"
import { createIDSource, type SessionID } from "../base/ids.ts"
import type { Model, ModelRequest } from "../contracts/model.ts"
import { compactionsOf } from "../record/compaction-record.ts"
import { collected } from "../base/collected.ts"
import type { Part, UserMessage } from "../record/message.ts"
import type { Storage } from "../contracts/storage.ts"

const send = (test: TestEngine, text: string, more: Omit<PromptRequest, "sessionID" | "parts"> = {}) => {
  return test.engine.prompt({ sessionID: test.session.id, parts: [{ type: "text", text }], ...more })
}
const userTexts = async (test: TestEngine) => {
  return (await test.messages()).flatMap(({ info, parts }) => {
    const text = parts.find((part) => part.type === "text" && !part.synthetic)
    return info.role === "user" && text?.type === "text" ? [text.text] : []
  })
}
const prompts = (model: { requests: readonly Parameters<typeof lastPrompt>[0][] }) => {
  return model.requests.map((request) => lastPrompt(request).split("\n")[0])
}

/** A tool that is under way until it is let go. */
function gate() {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tool = testTool("wait", async (_input, { signal }) => {
    begun.resolve()
    await Promise.race([
      released.promise,
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    ])
    return "ok"
  })
  return { tool, begun: begun.promise, release: () => released.resolve() }
}

/** Calls the tool for a prompt that begins with "Work", and repeats any other. */
const worker = () =>
  answeringModel(({ request }) => {
    const prompt = lastPrompt(request).split("\n")[0] ?? ""
    const isCalled = request.messages.at(-1)?.role === "tool"
    return prompt.startsWith("Work") && !isCalled
      ? [called("wait", {}, `c${request.messages.length}`)]
      : said(`Re: ${prompt}`)
  })

describe("a prompt that may wait", () => {
  it("is answered at once where nothing is under way", async () => {
    await using test = await testEngine({ model: worker() })
    expect(await send(test, "Hello", { delivery: "queue" })).toMatchObject({ type: "answered" })
    const [user] = await test.messages()
    expect(user?.info).not.toHaveProperty("delivery")
  })

  it("steers at the next step", async () => {
    const { tool, begun, release } = gate()
    let connections = 0
    const model = { ...worker(), connect: () => void connections++ }
    await using test = await testEngine({ model, tools: [tool] })
    const first = send(test, "Work")
    await begun
    const second = send(test, "Also that", { delivery: "steer" })
    await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(1)
    release()
    expect(await first).toMatchObject({ type: "answered" })
    expect(await second).toMatchObject({ type: "answered" })
    expect(prompts(model)).toEqual(["Work", "Also that"])
    expect(await test.engine.queue(test.session.id)).toEqual([])
    expect(lastPrompt(model.requests[1] as never)).toContain("while you were working")
    // What is asked later opens its own.
    expect(connections).toBe(1)
  })

  it("is queued until the turn is over, one after the other", async () => {
    const { tool, begun, release } = gate()
    const model = worker()
    await using test = await testEngine({ model, tools: [tool] })
    const first = send(test, "Work")
    await begun
    const others = ["One", "Two"].map((text) => send(test, text, { delivery: "queue" }))
    await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(2)
    release()
    await Promise.all([first, ...others])
    expect(prompts(model)).toEqual(["Work", "Work", "One", "Two"])
    expect(await userTexts(test)).toEqual(["Work", "One", "Two"])
    const [, , one] = model.requests
    expect(JSON.stringify(one?.messages)).not.toContain("Two")
    expect(lastPrompt(one as never)).not.toContain("while you were working")
  })

  it.each([
    [
      "an answer",
      () =>
        answeringModel(({ request, signal }) =>
          lastPrompt(request).startsWith("Work") ? silence(signal) : said("Yes."),
        ),
    ],
    ["a tool", worker],
  ] as const)("interrupts %s and is read in its place", async (_what, make) => {
    const { tool, begun } = gate()
    const model = make()
    await using test = await testEngine({ model, tools: [tool] })
    const first = send(test, "Work")
    if (make === worker) await begun
    else await expect.poll(() => model.requests.length).toBe(1)
    const second = await send(test, "Stop that", { delivery: "interrupt" })
    expect(second).toMatchObject({ type: "answered" })
    expect(await first).toMatchObject({ type: "answered" })
    expect(prompts(model)).toEqual(["Work", "Stop that"])
    const [, cut] = await test.messages()
    const call = cut?.parts.find((part) => part.type === "tool")
    if (call) expect(call).toMatchObject({ state: { status: "error", metadata: { interrupted: true } } })
    else expect(cut?.info).toMatchObject({ error: { name: "MessageAbortedError" } })
  })

  it("is no part of what the model reads, nor of what is measured, while it waits", async () => {
    const { tool, begun, release } = gate()
    const model = worker()
    await using test = await testEngine({ model, tools: [tool] })
    const first = send(test, "Work")
    await begun
    const before = await test.engine.context(test.session.id)
    const second = send(test, "SECRET", { delivery: "queue" })
    await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(1)
    expect((await test.engine.context(test.session.id)).tokens).toBe(before.tokens)
    release()
    await Promise.all([first, second])
    expect(JSON.stringify(model.requests.slice(0, 2))).not.toContain("SECRET")
  })

  it("can be taken back, and then is never read", async () => {
    const { tool, begun, release } = gate()
    const model = worker()
    await using test = await testEngine({ model, tools: [tool] })
    const first = send(test, "Work")
    await begun
    const others = [
      send(test, "One", { delivery: "queue" }),
      send(test, "Two", { delivery: "steer", clientID: "mine" }),
    ]
    await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(2)
    const [one] = await test.engine.queue(test.session.id)
    expect(await test.engine.withdraw(test.session.id, one?.info.id ?? "")).toBe(true)
    expect(await test.engine.withdraw(test.session.id, "mine")).toBe(true)
    expect(await test.engine.withdraw(test.session.id, "mine")).toBe(false)
    release()
    await Promise.all([first, ...others])
    expect(await userTexts(test)).toEqual(["Work"])
  })

  it("cannot be taken back once it is delivered", async () => {
    await using test = await testEngine({ model: worker() })
    await send(test, "Hello", { delivery: "queue", clientID: "mine" })
    expect(await test.engine.withdraw(test.session.id, "mine")).toBe(false)
  })

  it("is not taken back once it is delivered", async () => {
    const { tool, begun, release } = gate()
    const storage = memoryStorage()
    let isLate = false
    // It is delivered when the one who takes it back has just found it waiting.
    const late = Object.assign(Object.create(storage) as Storage, {
      async commit(...input: Parameters<Storage["commit"]>) {
        if (isLate && input[2] === undefined) {
          isLate = false
          release()
          await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(0)
        }
        return storage.commit(...input)
      },
    })
    await using test = await testEngine({ model: worker(), tools: [tool], storage: late })
    const first = send(test, "Work")
    await begun
    const second = send(test, "Something", { delivery: "steer", clientID: "mine" })
    await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(1)
    isLate = true
    expect(await test.engine.withdraw(test.session.id, "mine")).toBe(false)
    await Promise.all([first, second])
  })

  it.each(["in the course of a run", "that was asked for"])("interrupts a compaction %s", async (how) => {
    const inner = windowModel({ context: how === "that was asked for" ? 100_000 : 20_000, agent: looking(30) })
    const summarizing = Promise.withResolvers<void>()
    let isHeld = true
    const model = around(inner, async function* (request, signal, stream) {
      if (!isSummarizer(request) || !isHeld) return yield* stream(request, signal)
      isHeld = false
      summarizing.resolve()
      yield* silence(signal)
    })
    await using test = await testEngine({ model, tools: [look], compaction: { soft: 1 } })
    let work = send(test, "Look everywhere")
    if (how === "that was asked for") {
      await work
      work = test.engine.compact(test.session.id)
    }
    await summarizing.promise
    const before = inner.asked.length
    const second = send(test, "Stop that", { delivery: "interrupt" })
    await expect.poll(() => inner.asked.length).toBeGreaterThan(before)
    expect((await work).type).toBe(how === "that was asked for" ? "compacted" : "answered")
    expect((await second).type).toBe("answered")
    expect(await test.engine.queue(test.session.id)).toEqual([])
    const messages = await test.messages()
    expect(compactionsOf(messages).filter(({ summary }) => !summary)).toEqual([])
    expect(textOf(inner.asked[before] as ModelRequest)).toContain("Stop that")
  })

  it("interrupts the step that is about to begin as well", async () => {
    const storage = memoryStorage()
    let sent: Promise<unknown> | undefined
    const spied = Object.assign(Object.create(storage) as Storage, {
      async readChanges(...input: Parameters<Storage["readChanges"]>) {
        const changes = await storage.readChanges(...input)
        // It comes when the run has looked for it.
        if (changes.length > 0 && !sent) {
          sent = send(test, "Stop that", { delivery: "interrupt" })
          while ((await test.engine.queue(test.session.id)).length === 0) await new Promise(setImmediate)
        }
        return changes
      },
    })
    const model = answeringModel(({ request, signal }) => {
      return lastPrompt(request).startsWith("Work") ? silence(signal) : said("Yes.")
    })
    await using test = await testEngine({ model, storage: spied })
    await send(test, "Work")
    expect(await sent).toMatchObject({ type: "answered" })
    expect(prompts(model)).toEqual(["Stop that"])
  })

  it("waits on where a person ends the run, and goes with the next one", async () => {
    const { tool, begun } = gate()
    const model = worker()
    await using test = await testEngine({ model, tools: [tool] })
    const first = send(test, "Work")
    await begun
    const second = send(test, "Later", { delivery: "queue" })
    await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(1)
    await test.engine.abort(test.session.id)
    expect(await first).toMatchObject({ type: "aborted" })
    expect(await second).toMatchObject({ type: "aborted" })
    expect(await test.engine.queue(test.session.id)).toHaveLength(1)
    expect(await test.engine.resume(test.session.id)).toMatchObject({ type: "answered" })
    expect(await userTexts(test)).toEqual(["Work", "Later"])
  })
})

describe.each(storages)("between two engines over $name", ({ open }) => {
  async function pair(model: Model, tools: Parameters<typeof testEngine>[0]["tools"] = []) {
    const storage = await open()
    const owner = await testEngine({ model, tools, storage })
    const other = await testEngine({ model, tools, storage, session: owner.session })
    return {
      owner,
      other,
      [Symbol.asyncDispose]: async () => void (await Promise.all([owner.engine.close(), other.engine.close()])),
    }
  }

  it.each(["steer", "queue"] as const)(
    "a prompt to %s is acknowledged once it is stored, and the owner delivers it",
    async (delivery) => {
      const { tool, begun, release } = gate()
      const model = worker()
      await using both = await pair(model, [tool])
      const { owner, other } = both
      const first = send(owner, "Work")
      await begun
      const sent = await send(other, "And that", { delivery })
      expect(sent).toMatchObject({ type: "queued" })
      expect(await other.engine.queue(owner.session.id)).toMatchObject([
        { info: { id: (sent as { messageID: string }).messageID } },
      ])
      release()
      expect(await first).toMatchObject({ type: "answered" })
      expect(await userTexts(owner)).toEqual(["Work", "And that"])
      expect(prompts(model)).toEqual(delivery === "steer" ? ["Work", "And that"] : ["Work", "Work", "And that"])
      const delivered = (await owner.messages()).find(({ info }) => info.role === "user" && info.delivery)
      expect(delivered?.info).toMatchObject({ delivery: { mode: delivery, state: "delivered" } })
    },
  )

  it("a prompt to interrupt ends the owner's step", async () => {
    const { tool, begun } = gate()
    const model = worker()
    await using both = await pair(model, [tool])
    const { owner, other } = both
    const first = send(owner, "Work")
    await begun
    // The owner may have answered it before its sender has looked.
    expect((await send(other, "Stop", { delivery: "interrupt" })).type).toMatch(/^(queued|answered)$/)
    expect(await first).toMatchObject({ type: "answered" })
    expect(prompts(model)).toEqual(["Work", "Stop"])
  })

  it("a prompt that comes as the owner gives the session up is answered by one of them", async () => {
    const model = worker()
    await using both = await pair(model)
    const { owner, other } = both
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        send(at % 2 ? owner : other, `Prompt ${at}`, { delivery: at % 3 ? "queue" : "steer" }),
      ),
    )
    expect(results.every(({ type }) => type === "answered" || type === "queued")).toBe(true)
    await expect.poll(async () => (await owner.engine.queue(owner.session.id)).length).toBe(0)
    expect((await userTexts(owner)).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, at) => `Prompt ${at}`).toSorted(),
    )
  })
})

describe("a prompt with an id for its message", () => {
  const idsOf = async (test: TestEngine) => (await test.messages()).map(({ info }) => info.id)

  it("keeps the id, whatever its alphabet, and later messages sort behind it", async () => {
    await using test = await testEngine({ model: worker() })
    const own = ["msg_19a2c4e6f001AbCdEfGhIjKlMn", "msg_f9a2c4e6f001AbCdEfGhIjKlMn"] as const
    for (const messageID of own) await send(test, messageID, { messageID })
    await send(test, "Last")
    const ids = await idsOf(test)
    expect([ids.length, ids[0], ids[2]]).toEqual([6, ...own])
    expect(ids).toEqual(ids.toSorted())
    expect(await userTexts(test)).toEqual([...own, "Last"])
  })

  it("gets another one if the id is invalid, taken, or older than the conversation", async () => {
    await using test = await testEngine({ model: worker() })
    await send(test, "First")
    const [first = "msg_0"] = await idsOf(test)
    // The last one is far ahead of the clock: all later ids would have to follow it.
    const ahead = "msg_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"
    const wrong = [first, "msg_0", "msg_~", "msg_zz/../..", `msg_${"z".repeat(65)}`, ahead] as const
    for (const messageID of wrong) await send(test, "Again", { messageID })
    const ids = await idsOf(test)
    expect(new Set(ids).size).toBe(14)
    expect(ids).toEqual(ids.toSorted())
    expect(ids.filter((id) => wrong.includes(id))).toEqual([first])
  })

  it("is one prompt of two that arrive with it at once, and another id for the second", async () => {
    await using test = await testEngine({ model: worker() })
    const messageID = "msg_9Z"
    await Promise.all([send(test, "One", { messageID }), send(test, "Two", { messageID })])
    expect((await userTexts(test)).toSorted()).toEqual(["One", "Two"])
    expect((await idsOf(test)).filter((id) => id === messageID)).toHaveLength(1)
  })
})

describe("a prompt that its sender names", () => {
  it("is one prompt however often it is sent", async () => {
    const model = worker()
    await using test = await testEngine({ model })
    for (const delivery of [undefined, "queue", "steer"] as const) {
      const sent = await send(test, "Hello", { clientID: "mine", ...(delivery ? { delivery } : {}) })
      expect(sent).toMatchObject({ type: "answered" })
    }
    await Promise.all([send(test, "Hello", { clientID: "mine" }), send(test, "Hello", { clientID: "mine" })])
    expect(await userTexts(test)).toEqual(["Hello"])
    expect(model.requests).toHaveLength(1)
  })

  it("is one prompt after a long turn as well", async () => {
    const model = answeringModel(({ n }) => (n < 120 ? [called("look", { n }, `c${n}`)] : said("Yes.")))
    await using test = await testEngine({ model, tools: [testTool("look", async () => "ok")] })
    for (let times = 0; times < 2; times++) await send(test, "Hello", { clientID: "mine" })
    expect(await userTexts(test)).toEqual(["Hello"])
  })

  it("is one prompt while it waits, and once it is delivered", async () => {
    const { tool, begun, release } = gate()
    await using test = await testEngine({ model: worker(), tools: [tool] })
    const first = send(test, "Work")
    await begun
    const again = Array.from({ length: 3 }, () => send(test, "More", { delivery: "queue", clientID: "mine" }))
    await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(1)
    release()
    await Promise.all([first, ...again])
    await send(test, "More", { delivery: "queue", clientID: "mine" })
    expect(await userTexts(test)).toEqual(["Work", "More"])
  })
})

describe("a compaction alone", () => {
  /** A session whose process died while a prompt was to be read at its next step. */
  async function left() {
    const storage = memoryStorage()
    const { tool, begun } = gate()
    let isDead = false
    const first = await testEngine({ model: worker(), tools: [tool], storage: dying(storage, () => isDead) })
    const work = send(first, "Work").catch(() => undefined)
    await begun
    void send(first, "Also that", { delivery: "steer" }).catch(() => undefined)
    await expect.poll(async () => (await first.engine.queue(first.session.id)).length).toBe(1)
    isDead = true
    await first.engine.close().catch(() => undefined)
    await work
    return { storage, session: first.session }
  }

  it("leaves what waits to whoever answers it", async () => {
    await using test = await testEngine({ model: worker(), ...(await left()) })
    expect(await test.engine.compact(test.session.id)).toMatchObject({ type: "compacted" })
    expect(await test.engine.queue(test.session.id)).toHaveLength(1)
  })

  it("is followed by a run for what another process sent just as it began", async () => {
    const storage = memoryStorage()
    await using other = await testEngine({ model: worker(), storage })
    const { session } = other
    await other.ask("Hello")
    let sent: Promise<unknown> | undefined
    const held = Object.assign(Object.create(storage) as Storage, {
      async acquire(...input: Parameters<Storage["acquire"]>) {
        const lease = await storage.acquire(...input)
        // Once, and before the owner has read anything.
        sent ??= send(other, "Also that", { delivery: "queue" })
        await sent
        return lease
      },
    })
    await using test = await testEngine({ model: worker(), storage: held, session })
    expect(await test.engine.compact(session.id)).toMatchObject({ type: "compacted" })
    expect(await sent).toMatchObject({ type: "queued" })
    await test.engine.untilIdle(session.id)
    expect(await test.engine.queue(session.id)).toEqual([])
    expect(await userTexts(test)).toContain("Also that")
  })

  it("is followed by the run that was asked for meanwhile", async () => {
    await using test = await testEngine({ model: worker(), ...(await left()) })
    let resumed: Promise<unknown> | undefined
    test.engine.subscribe(({ type }) => {
      if (type === "session.compacting") resumed = test.engine.resume(test.session.id)
    })
    expect(await test.engine.compact(test.session.id)).toMatchObject({ type: "compacted" })
    expect(await resumed).toMatchObject({ type: "answered" })
    expect(await test.engine.queue(test.session.id)).toEqual([])
  })
})

describe("while a prompt waits", () => {
  it("a fork leaves it where it was sent to", async () => {
    const { tool, begun, release } = gate()
    await using test = await testEngine({ model: worker(), tools: [tool] })
    const first = send(test, "Work")
    await begun
    const second = send(test, "Later", { delivery: "queue" })
    await expect.poll(async () => (await test.engine.queue(test.session.id)).length).toBe(1)
    const fork = await test.engine.forkSession({ sessionID: test.session.id })
    expect(await test.engine.queue(fork.id)).toEqual([])
    const { messages } = await test.storage.readContext(fork.id)
    expect(messages.map(({ info }) => info.role)).toEqual(["user", "assistant"])
    release()
    await Promise.all([first, second])
    expect(await userTexts(test)).toEqual(["Work", "Later"])
  })

  it("a compaction keeps it within reach, whatever its id, and it is delivered once", async () => {
    const storage = memoryStorage()
    const ids = createIDSource(Date.now)
    const tool = testTool("look", async ({ at }) => {
      // Of a clock that is a minute behind this one's, as the ids of what waits are a minute ahead of it.
      if (at === "place 2") await putWaiting("OLD")
      if (at === "place 3") second = send(test, "NEW", { delivery: "queue" })
      return `${String(at)}: ${"x".repeat(3000)}`
    })
    let second: Promise<unknown> | undefined
    const model = windowModel({ context: 20_000, agent: looking(26) })
    await using test = await testEngine({ model, tools: [tool], storage, compaction: { soft: 1 } })
    async function putWaiting(text: string) {
      const message: UserMessage = {
        ...{ id: ids.message(), sessionID: test.session.id, role: "user", agent: "build", model: model.ref },
        ...{ clientID: text, delivery: { mode: "queue", state: "waiting" }, time: { created: 1 } },
      }
      const part: Part = { id: ids.part(), sessionID: test.session.id, messageID: message.id, type: "text", text }
      await storage.commit(test.session.id, [
        { type: "message.put", message },
        { type: "part.put", part },
      ])
    }

    expect(await test.ask("FIRST request")).toMatchObject({ type: "answered" })
    await second
    expect(told(test.events).length).toBeGreaterThan(0)
    for (const text of ["OLD", "NEW"]) {
      const stored = (await collected(storage.readMessages(test.session.id))).filter(({ parts }) =>
        parts.some((part) => part.type === "text" && part.text === text),
      )
      expect(stored.map(({ info }) => info.role === "user" && info.delivery?.state)).toEqual(["delivered"])
      expect(model.asked.filter((request) => lastPrompt(request).includes(text)).length).toBeGreaterThan(0)
    }
  })
})

describe("a crash at any commit", () => {
  const names = ["one", "two", "three", "four"]

  /** The names of prompts that were acknowledged, or at least stored, and what the model has read of in the end. */
  async function crash(random: () => number) {
    const whole = memoryStorage()
    const model = answeringModel(({ n }) => (n % 3 === 2 ? [called("nothing", {}, `c${n}`)] : said("Yes.")))
    const tools = [testTool("nothing", async () => "ok")]
    const at = 2 + Math.floor(random() * 22)
    const isTold = random() < 0.5
    const create = (storage: Storage) => {
      const provider = { id: "answers", name: "test", models: async () => [model.info], model: async () => model }
      return createEngine({ storage, tools, providers: [provider], model: model.ref, environment: {} })
    }
    const owner = await create(stopping(whole, at, isTold).storage)
    const { id: sessionID } = await owner.createSession({ directory: "/nowhere" })
    const sent = names.map((name) => {
      const delivery = (["steer", "queue", "interrupt"] as const)[Math.floor(random() * 3)] ?? "queue"
      return owner.prompt({ sessionID, parts: [{ type: "text", text: name }], delivery, clientID: name })
    })
    await Promise.allSettled(sent)
    await owner.close().catch(() => undefined)
    const acknowledged = await namesIn(whole, sessionID)

    const next = await create(whole)
    const { length: waited } = await next.queue(sessionID)
    for (let tries = 0; tries < 5 && (await next.queue(sessionID)).length > 0; tries++) await next.resume(sessionID)
    const { length: left } = await next.queue(sessionID)
    await next.close()
    return { acknowledged, read: await namesIn(whole, sessionID), left, waited }
  }

  async function namesIn(storage: Storage, sessionID: SessionID): Promise<string[]> {
    const messages = await collected(storage.readMessages(sessionID))
    return messages.flatMap(({ parts }) => {
      return parts.flatMap((part) => (part.type === "text" && names.includes(part.text) ? [part.text] : []))
    })
  }

  it("loses no prompt that was stored, and delivers none twice", async () => {
    const random = seeded(5)
    const all = rounds(1000)
    let [stored, waiting] = [0, 0]
    for (let round = 0; round < all; round += 50) {
      const rounds = await Promise.all(Array.from({ length: 50 }, () => crash(random)))
      for (const { acknowledged, read, left, waited } of rounds) {
        expect(left).toBe(0)
        expect(read.toSorted()).toEqual([...new Set(acknowledged)].toSorted())
        expect(acknowledged.length).toBe(new Set(acknowledged).size)
        stored += acknowledged.length
        waiting += waited
      }
    }
    expect(stored).toBeGreaterThan(2 * all)
    expect(waiting).toBeGreaterThan(0.2 * all)
  })
})

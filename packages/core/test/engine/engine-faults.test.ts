import { setTimeout as sleep } from "node:timers/promises"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { called, ended, said, streamingModel } from "../streaming-model.ts"
import { NotFoundError, ProviderError, SessionBusyError } from "../../src/base/errors.ts"
import type { Storage } from "../../src/contracts/storage.ts"

/** A storage that refuses commits from a moment on. */
function failingStorage() {
  const memory = memoryStorage()
  const failure = new Error("disk full")
  const state = { isBroken: false }
  const storage: Storage = {
    ...memory,
    commit: (...commit) => (state.isBroken ? Promise.reject(failure) : memory.commit(...commit)),
  }
  return { memory, storage, failure, breakDown: () => void (state.isBroken = true) }
}

/** An answer that is never given. */
async function* silence(signal: AbortSignal) {
  yield { type: "start" } as const
  await new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error))
  })
}

function cyclic(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

const untilAborted = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener("abort", resolve))

it("asks no second time when what was committed at the end is late to be read", async () => {
  const memory = memoryStorage()
  const storage: Storage = {
    ...memory,
    async readChanges(...about) {
      const changes = await memory.readChanges(...about)
      await sleep(5)
      return changes
    },
  }
  const model = streamingModel([...said("Done."), ended()])
  await using test = await testEngine({ model, storage })
  expect((await test.ask("Go")).type).toBe("answered")
  expect(model.requests).toHaveLength(1)
})

describe("a prompt that joins a run", () => {
  it("is stored and left when the run is aborted, and begins nothing after the engine has closed", async () => {
    const model = streamingModel(silence)
    await using test = await testEngine({ model })
    const first = test.ask("one")
    await expect.poll(() => model.requests.length).toBe(1)
    const second = test.ask("two")
    await expect.poll(async () => (await test.messages()).length).toBe(3)
    await test.engine.close()

    expect([(await first).type, (await second).type]).toEqual(["aborted", "aborted"])
    expect(model.requests).toHaveLength(1)
    await expect(test.ask("three")).rejects.toThrow("The engine is closed")
    expect(await test.messages()).toHaveLength(3)
  })

  it("is answered when it was stored after the run had looked for the last time", async () => {
    const model = streamingModel([...said("One."), ended()], [...said("Two."), ended()])
    await using test = await testEngine({ model })
    let second: Promise<unknown> | undefined
    test.engine.subscribe((event) => {
      if (event.type === "message.updated" && "finish" in event.properties.info) second ??= test.ask("two")
    })
    await test.ask("one")
    await second

    expect((await test.parts("text")).map((part) => part.text)).toEqual(["one", "One.", "two", "Two."])
  })

  it("is not stored when another process owns the session, however many come at once", async () => {
    await using test = await testEngine({ model: streamingModel() })
    await test.storage.acquire(test.session.id, "other", 60_000)
    const asked = await Promise.allSettled([test.ask("one"), test.ask("two")])

    for (const each of asked) expect(each).toMatchObject({ reason: expect.any(SessionBusyError) })
    expect(await test.messages()).toEqual([])
  })
})

describe("a storage that fails", () => {
  it("ends the other tools of the answer before the run gives the session up", async () => {
    const { storage, memory, failure, breakDown } = failingStorage()
    let isOver = false
    const slow = testTool("slow", async (_input, { signal }) => {
      await untilAborted(signal)
      await sleep(50)
      isOver = true
      return ""
    })
    const fast = testTool("fast", async () => {
      breakDown()
      return ""
    })
    const model = streamingModel([called("slow", {}, "1"), called("fast", {}, "2"), ended("tool-calls")])
    await using test = await testEngine({ model, storage, tools: [slow, fast] })

    await expect(test.ask("Go")).rejects.toBe(failure)
    expect(isOver).toBe(true)
    expect(await memory.acquire(test.session.id, "other", 1000)).toBeDefined()
  })

  it("is not hidden by an abort", async () => {
    const { storage, failure, breakDown } = failingStorage()
    const slow = testTool("slow", async (_input, { signal }) => {
      breakDown()
      await untilAborted(signal)
      return ""
    })
    const model = streamingModel([called("slow"), ended("tool-calls")])
    await using test = await testEngine({ model, storage, tools: [slow] })
    const asked = test.ask("Go")
    asked.catch(() => undefined)
    await expect.poll(async () => (await test.parts("tool"))[0]?.state.status).toBe("running")
    await test.engine.abort(test.session.id)

    await expect(asked).rejects.toBe(failure)
    expect(test.events.filter(({ type }) => type === "session.error")).toHaveLength(1)
  })

  it("leaves the session idle and its answer an answer when only the lease cannot be given up", async () => {
    const memory = memoryStorage()
    const storage: Storage = {
      ...memory,
      async acquire(...acquire) {
        const lease = await memory.acquire(...acquire)
        return lease && { ...lease, release: () => Promise.reject(new Error("disk removed")) }
      },
    }
    await using test = await testEngine({ model: streamingModel(), storage })

    expect((await test.ask("Go")).type).toBe("answered")
    expect(test.events.slice(-3).map(({ type }) => type)).toEqual(["session.error", "session.status", "session.idle"])
  })
})

describe("a tool", () => {
  const settled = async (tool: ReturnType<typeof testTool>, input: string | object = {}, name = tool.name) => {
    const model = streamingModel([called(name, input), ended("tool-calls")])
    const test = await testEngine({ model, tools: [tool] })
    const result = await test.ask("Go")
    const [part] = await test.parts("tool")
    await test[Symbol.asyncDispose]()
    expect(result.type).toBe("answered")
    return { state: part?.state, events: test.events }
  }

  it.each([
    ["a number that JSON has not", { count: 1n }],
    ["a cycle", cyclic()],
  ])("keeps its output when its metadata holds %s", async (_what, metadata) => {
    const tool = testTool("x", async () => "", {
      execute: async () => ({ title: "x", output: "It worked.", metadata: { metadata } as never }),
    })
    expect((await settled(tool)).state).toMatchObject({
      status: "completed",
      output: "It worked.",
      metadata: { unstorable: expect.any(String) },
    })
  })

  it.each([[undefined], [null], ["text"], [{ title: "no output" }], [{ output: 5 }]])(
    "that returns %j has failed",
    async (returned) => {
      const tool = testTool("x", async () => "", { execute: async () => returned as never })
      expect((await settled(tool)).state).toMatchObject({ status: "error", error: /returned no output/ })
    },
  )

  it("is not run with arguments nested so deep that they cannot be stored", async () => {
    const tool = testTool("x", async () => expect.fail("it ran"))
    const { state } = await settled(tool, `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`)
    expect(state).toMatchObject({ status: "error", error: /nested deeper than 200 levels/, input: {} })
  })

  it("shows the model the limit of a long error and keeps the whole", async () => {
    const tool = testTool("x", async () => Promise.reject(new Error("e".repeat(1_000_000))))
    const { state } = await settled(tool)
    expect(state).toMatchObject({ status: "error", metadata: { blob: expect.any(String) } })
    expect(JSON.stringify(state).length).toBeLessThan(60_000)
  })

  it("shows no progress any more once it has ended", async () => {
    const tool = testTool("x", async (_input, context) => {
      setTimeout(() => context.progress({ title: "late" }), 10)
      return ""
    })
    const model = streamingModel([called("x"), ended("tool-calls")], async function* () {
      await sleep(50)
      yield* [...said("END"), ended()]
    })
    await using test = await testEngine({ model, tools: [tool] })
    await test.ask("Go")

    const states = test.events.flatMap(({ type, properties }) =>
      type === "message.part.updated" && properties.part.type === "tool" ? [properties.part.state.status] : [],
    )
    expect(states).toEqual(["pending", "running", "completed"])
  })

  it("whose own work was aborted has failed with what it says", async () => {
    const tool = testTool("x", async () => Promise.reject(new DOMException("The download was aborted.", "AbortError")))
    expect((await settled(tool)).state).toMatchObject({ status: "error", error: "The download was aborted." })
  })

  it("that is denied is denied in whatever case the model writes its name", async () => {
    const tool = testTool("push", async () => expect.fail("it ran"))
    const model = streamingModel([called("PUSH"), ended("tool-calls")])
    const rules = [{ permission: "push", pattern: "*", action: "deny" } as const]
    await using test = await testEngine({ model, tools: [tool], permission: [{ name: "rules", rules }] })
    await test.ask("Go")

    expect(await test.parts("tool")).toMatchObject([{ tool: "push", state: { status: "error", error: /denies push/ } }])
  })
})

describe("an answer", () => {
  it("keeps a text that was never closed, and one that was begun again under its id", async () => {
    const begin = [
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", text: "Important." },
    ] as const
    const model = streamingModel([...begin, ...said("More.", "t"), ...begin, ended()])
    await using test = await testEngine({ model })

    expect((await test.ask("Go")).type).toBe("answered")
    expect((await test.parts("text")).map((part) => part.text)).toEqual(["Go", "Important.", "More.", "Important."])
  })

  it("is over with its finish, whether or not the connection is", async () => {
    const model = streamingModel(async function* (signal) {
      yield* [...said("Done."), ended()]
      await untilAborted(signal)
    })
    await using test = await testEngine({ model, deadlines: { idle: 200 } })

    expect((await test.ask("Go")).type).toBe("answered")
    expect(model.requests).toHaveLength(1)
  })

  it("that its provider aborts is asked for again", async () => {
    const model = streamingModel(async function* () {
      yield { type: "start" }
      throw new DOMException("The socket was closed.", "AbortError")
    })
    await using test = await testEngine({ model })

    expect((await test.ask("Go")).type).toBe("answered")
    expect((await test.parts("retry"))[0]?.error.data.message).toContain("The socket was closed.")
  })

  it("is not waited for any more when the delay before its next attempt is aborted", async () => {
    const model = streamingModel(async function* () {
      yield { type: "start" }
      throw new ProviderError("rate-limited", "Slow down.", { retryAfter: 30_000 })
    })
    await using test = await testEngine({ model })
    const asked = test.ask("Go")
    await expect.poll(async () => (await test.parts("retry")).length).toBe(1)
    await test.engine.abort(test.session.id)

    expect((await asked).type).toBe("aborted")
    expect(model.requests).toHaveLength(1)
  })
})

describe("a hook on messages", () => {
  it("changes what the user says, but not which message it is", async () => {
    const model = streamingModel()
    const plugin = () => ({
      "chat.message": (_input: unknown, output: { message: { id: string }; parts: { messageID: string }[] }) => {
        output.message.id = "msg_0"
        for (const part of output.parts) Object.assign(part, { messageID: "msg_0", text: "Changed." })
      },
    })
    await using test = await testEngine({ model, plugins: [{ id: "p", plugin }] })
    await test.ask("first")
    await test.ask("second")

    expect(model.requests).toHaveLength(2)
    expect((await test.parts("text")).map((part) => part.text)).toEqual(["Changed.", "END", "Changed.", "END"])
  })

  it("stores nothing when it chooses a model that is not known", async () => {
    const plugin = () => ({
      "chat.message": (_input: unknown, output: { message: { model: object } }) => {
        output.message.model = { providerID: "gone", modelID: "x" }
      },
    })
    await using test = await testEngine({ model: streamingModel(), plugins: [{ id: "p", plugin }] })

    await expect(test.ask("Go")).rejects.toThrow(NotFoundError)
    expect(await test.messages()).toEqual([])
  })
})

describe("an abort while a hook never ends", () => {
  const replies = () => streamingModel([...said("Look."), called("x"), ended("tool-calls")])

  it.each(["chat.message", "chat.params", "tool.execute.before", "shell.env", "tool.execute.after", "text.complete"])(
    "ends the run in %s, with everything settled and the prompt stored",
    async (name) => {
      const reached = Promise.withResolvers<void>()
      const hook = () => {
        reached.resolve()
        return new Promise<void>(() => undefined)
      }
      const tool = testTool("x", async (_input, context) => {
        await context.env()
        return ""
      })
      await using test = await testEngine({
        model: replies(),
        tools: [tool],
        deadlines: { guardHook: 600_000, transformHook: 600_000 },
        plugins: [{ id: "slow", plugin: () => ({ [name]: hook }) }],
      })
      const asked = test.ask("Go")
      await reached.promise
      await test.engine.abort(test.session.id)

      expect((await asked).type).toBe("aborted")
      const messages = await test.messages()
      expect(messages[0]?.parts).toMatchObject([{ text: "Go" }])
      for (const { info } of messages) if (info.role === "assistant") expect(info.time.completed).toBeDefined()
      for (const part of await test.parts("tool")) expect(part.state.status).toMatch(/completed|error/)
    },
  )
})

it("has a lease that ends, whatever the deadlines say", async () => {
  await expect(testEngine({ model: streamingModel(), deadlines: { lease: 0 } })).rejects.toThrow("deadlines.lease is 0")
})

it("tells tools' hooks the root of the session's tree", async () => {
  const roots: unknown[] = []
  const model = streamingModel([called("x"), ended("tool-calls")])
  const plugin = () => ({
    "tool.execute.before": ({ rootSessionID }: { rootSessionID: string }) => void roots.push(rootSessionID),
  })
  await using test = await testEngine({
    model,
    tools: [testTool("x", async () => "")],
    plugins: [{ id: "p", plugin }],
  })
  const { directory } = test.session
  const child = await test.engine.createSession({ directory, parentID: test.session.id })
  const grandchild = await test.engine.createSession({ directory, parentID: child.id })
  await test.engine.prompt({ sessionID: grandchild.id, parts: [{ type: "text", text: "Go" }] })

  expect(roots).toEqual([test.session.id])
})

it("tells with session.error how a turn failed, before the session is idle", async () => {
  const model = streamingModel([{ type: "error", error: new ProviderError("invalid-request", "No such thing.") }])
  await using test = await testEngine({ model })

  expect(await test.ask("Go")).toMatchObject({ type: "failed" })

  const told = test.events.filter(({ type }) => type === "session.error" || type === "session.idle")
  expect(told.map(({ type }) => type)).toEqual(["session.error", "session.idle"])
  expect(told[0]?.properties).toMatchObject({ error: { data: { message: expect.stringContaining("No such thing.") } } })
})

it("keeps with the answer that it was aborted, also where a tool was at work, and tells so", async () => {
  const started = Promise.withResolvers<void>()
  const slow = testTool("slow", async (_input, { signal }) => {
    started.resolve()
    await untilAborted(signal)
    throw signal.reason
  })
  await using test = await testEngine({ model: streamingModel([called("slow"), ended("tool-calls")]), tools: [slow] })
  const asked = test.ask("Go")
  await started.promise
  // The answer has come to its end by then.
  await sleep(20)
  await test.engine.abort(test.session.id)

  expect((await asked).type).toBe("aborted")
  expect((await test.messages()).at(-1)?.info).toMatchObject({ error: { name: "MessageAbortedError" } })
  const told = test.events.filter(({ type }) => type === "session.error" || type === "session.idle")
  expect(told).toMatchObject([
    { type: "session.error", properties: { error: { name: "MessageAbortedError" } } },
    { type: "session.idle" },
  ])
})

import { memoryStorage } from "@pawl/storage-memory"
import { fail, finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../../test/engine-fixture.ts"
import { dying } from "../../../test/storages.ts"
import { called, ended, said, streamingModel } from "../../../test/streaming-model.ts"
import { ProviderError, type ProviderErrorKind } from "../../base/errors.ts"
import type { EngineEvent, SessionStatus } from "../../contracts/events.ts"
import type { PluginEntry } from "../../plugin.ts"

const busy = (retryAfter = 1) => new ProviderError("transient", "Busy.", { retryAfter })

function statuses(events: readonly EngineEvent[]): SessionStatus[] {
  return events.flatMap((event) => (event.type === "session.status" ? [event.properties.status] : []))
}

function waits(events: readonly EngineEvent[]) {
  return statuses(events).filter((status) => status.type === "retry")
}

describe("an attempt that failed", () => {
  it("is stored and told with its number, its class, its reason and the time of the next one", async () => {
    const limited = new ProviderError("rate-limited", "Slow down.", { retryAfter: 3 })
    const model = scriptedModel([[fail(busy(2))], [fail(limited)], [text("Here."), finish("stop")]])
    await using test = await testEngine({ model, now: () => 1_000 })

    expect(await test.ask("Go")).toMatchObject({ type: "answered" })

    const first = { attempt: 1, kind: "transient", next: 1_002 }
    const second = { attempt: 2, kind: "rate-limited", next: 1_003 }
    expect(await test.parts("retry")).toMatchObject([
      { ...first, error: { data: { message: "Busy." } }, elapsed: expect.any(Number) as number },
      { ...second, error: { data: { message: "Slow down." } } },
    ])
    expect(waits(test.events)).toEqual([
      { type: "retry", ...first, attempts: 5, message: "Busy." },
      { type: "retry", ...second, attempts: 5, message: "Slow down." },
    ])
    const parts = test.events.flatMap((event) =>
      event.type === "message.part.updated" && event.properties.part.type === "retry" ? [event.properties.part] : [],
    )
    expect(parts.map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  it("is made again as often as the settings say", async () => {
    const model = scriptedModel(Array.from({ length: 9 }, () => [fail(new ProviderError("transport", "No way."))]))
    await using test = await testEngine({ model, retry: { attempts: 3, delay: 1 } })

    expect(await test.ask("Go")).toMatchObject({
      type: "failed",
      error: { data: { message: expect.stringMatching(/after 3 attempts/) as string } },
    })
    expect(model.requests).toHaveLength(3)
  })

  it("is not made again within the hour that the server asks for, and the error says when", async () => {
    const model = scriptedModel([[fail(busy(3_600_000))]])
    await using test = await testEngine({ model, now: () => Date.parse("2026-03-01T10:00:00.500Z") })

    const message = "Busy. The server asks to wait 3600 s. Continue the session after 2026-03-01T11:00:00Z."
    const retryAt = Date.parse("2026-03-01T11:00:00.500Z")
    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { data: { message, retryAt } } })
    expect(model.requests).toHaveLength(1)
  })

  it.each([1e20, 1e308, Infinity])("is left to the last day there is where the server asks for %d ms", async (wait) => {
    const model = scriptedModel([[fail(busy(wait))]])
    await using test = await testEngine({ model })

    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { data: { retryAt: 8.64e15 } } })
  })

  it("refuses a policy that is none before anything begins", async () => {
    await expect(testEngine({ model: scriptedModel([]), retry: { attempts: 0 } })).rejects.toThrow(
      /retry\.attempts is 0/,
    )
  })
})

describe("a process that ends while it waits for the next attempt", () => {
  async function interrupted(kind: "alone" | "behind a call") {
    const storage = memoryStorage()
    let isDead = false
    const broken = async function* (n: number, retryAfter: number) {
      if (kind === "behind a call") yield called("look", { n }, `call_${n}`)
      throw busy(retryAfter)
    }
    const model = streamingModel(
      () => broken(1, 1),
      () => broken(2, 1),
      () => broken(3, 50_000),
    )
    const tools = [testTool("look", async () => "seen", { effect: "pure" })]
    const first = await testEngine({ model, tools, storage: dying(storage, () => isDead), now: () => 0 })
    const asked = first.ask("Go").catch(() => undefined)
    await expect.poll(() => waits(first.events).at(-1)).toMatchObject({ attempt: 3 })
    isDead = true
    await first[Symbol.asyncDispose]()
    await asked
    return { storage, session: first.session, tools }
  }

  it.each(["alone", "behind a call"] as const)("goes on counting where it was: %s", async (kind) => {
    const left = await interrupted(kind)
    const failing = async function* () {
      yield* [] as never[]
      throw busy()
    }
    const model = streamingModel(failing, failing, failing)
    await using test = await testEngine({ ...left, model, now: () => 49_980 })

    const result = await test.engine.resume(test.session.id)

    expect(result).toMatchObject({
      type: "failed",
      error: { data: { message: expect.stringMatching(/after 5 attempts/) as string } },
    })
    expect(model.requests).toHaveLength(2)
    expect(waits(test.events)).toMatchObject([
      { attempt: 3, kind: "transient", message: "Busy.", next: 50_000 },
      { attempt: 4, next: 49_981 },
    ])
  })

  it("can be aborted in what is left of the wait, at once and without a request", async () => {
    const left = await interrupted("alone")
    const model = streamingModel()
    await using test = await testEngine({ ...left, model, now: () => 1 })
    const resumed = test.engine.resume(test.session.id)
    await expect.poll(() => waits(test.events).length).toBe(1)
    await test.engine.abort(test.session.id)

    expect(await resumed).toMatchObject({ type: "aborted" })
    expect(model.requests).toHaveLength(0)
  })

  it("begins anew with the user's next prompt", async () => {
    const left = await interrupted("alone")
    const model = streamingModel()
    await using test = await testEngine({ ...left, model, now: () => 2 })

    expect(await test.ask("And now?")).toMatchObject({ type: "answered" })
    expect(waits(test.events)).toEqual([])
  })
})

describe("a plugin's word on a failure", () => {
  const judge = (kind: ProviderErrorKind, retryAfter?: number): PluginEntry => ({
    id: "judge",
    plugin: () => ({
      "provider.error": (_input, output) => {
        output.kind = kind
        if (retryAfter !== undefined) output.retryAfter = retryAfter
      },
    }),
  })

  it("makes a request again that would have been given up", async () => {
    const model = scriptedModel([
      [fail(new ProviderError("invalid-request", "Shard 7 is asleep.", { statusCode: 400 }))],
      [text("Here."), finish("stop")],
    ])
    await using test = await testEngine({ model, plugins: [judge("transient", 1)] })

    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    expect(await test.parts("retry")).toMatchObject([
      { kind: "transient", error: { data: { message: "Shard 7 is asleep.", statusCode: 400, isRetryable: true } } },
    ])
  })

  it("gives up what would have been made again", async () => {
    const model = scriptedModel([[fail(busy())]])
    await using test = await testEngine({ model, plugins: [judge("quota-exhausted")] })

    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { data: { kind: "quota-exhausted" } } })
    expect(model.requests).toHaveLength(1)
  })
})

it("tells of an empty answer as what it is, and ends with an error when all are", async () => {
  const model = scriptedModel(Array.from({ length: 2 }, () => [finish("stop")]))
  await using test = await testEngine({ model, retry: { attempts: 2, delay: 1 } })

  const message = "The model sent an empty answer. Gave up after 2 attempts."
  expect(await test.ask("Go")).toMatchObject({
    type: "failed",
    error: { data: { message, kind: "incomplete-stream" } },
  })
})

it("asks again where a provider ends the answer with an error, as for a call that is none", async () => {
  const broken = { ...ended(), reason: "error" } as const
  const model = streamingModel([broken], [...said("Here."), ended()])
  await using test = await testEngine({ model, retry: { delay: 0 } })

  expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  expect(await test.parts("retry")).toMatchObject([{ kind: "transient" }])
})

it("runs a call once that a server sends twice, each of two that share an id, and the same again by another", async () => {
  const runs: unknown[] = []
  const look = testTool("look", async ({ at }) => String(runs.push(at)))
  const twice = [called("look", { at: 1 }, "c"), called("look", { at: 1 }, "c")]
  const calls = [...twice, called("look", { at: 2 }, "c"), called("look", { at: 1 }, "d")]
  const model = streamingModel([...calls, ended("tool-calls")], [...said("Here."), ended()])
  await using test = await testEngine({ model, tools: [look] })

  expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  expect(runs).toEqual([1, 2, 1])
  expect(new Set((await test.parts("tool")).map(({ callID }) => callID)).size).toBe(3)
})

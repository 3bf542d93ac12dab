import { ProviderError } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { answer, collect, never, requestAfter } from "../test/session.ts"
import { call, fail, finish, reasoning, stall, text, wait } from "./reply/steps.ts"
import { scriptedModel } from "./scripted-model.ts"

const request = requestAfter(0)
const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

describe("a scripted model", () => {
  it("plays its replies in order and records the requests", async () => {
    const model = scriptedModel([[text("One.")], [text("Two.")]])
    const other = requestAfter(1)

    expect(await answer(model, request)).toBe("One.")
    expect(await answer(model, other)).toBe("Two.")
    expect(model.requests).toEqual([request, other])
  })

  it("sends the events of a whole answer", async () => {
    const model = scriptedModel([
      [
        reasoning("Hm.", { acme: { signature: "s" } }),
        text(["It ", "is."]),
        call("read", { path: "a" }),
        finish("tool-calls", { input: 100, output: 20, reasoning: 5, cacheRead: 70, cacheWrite: 7 }),
      ],
    ])

    const usage = { input: 100, output: 20, reasoning: 5, cache: { read: 70, write: 7 } }
    expect(await collect(model.stream(request, never))).toEqual([
      { type: "start" },
      { type: "start-step" },
      { type: "reasoning-start", id: "reasoning-1" },
      { type: "reasoning-delta", id: "reasoning-1", text: "Hm." },
      { type: "reasoning-end", id: "reasoning-1", metadata: { acme: { signature: "s" } } },
      { type: "text-start", id: "text-2" },
      { type: "text-delta", id: "text-2", text: "It " },
      { type: "text-delta", id: "text-2", text: "is." },
      { type: "text-end", id: "text-2" },
      { type: "tool-input-start", id: "call_1", name: "read" },
      { type: "tool-input-delta", id: "call_1", delta: '{"path":"a"}' },
      { type: "tool-input-end", id: "call_1" },
      { type: "tool-call", id: "call_1", name: "read", input: '{"path":"a"}' },
      { type: "finish-step", reason: "tool-calls", usage },
      { type: "finish", reason: "tool-calls", usage },
    ])
  })

  it("refuses pauses that no timer can make", () => {
    expect(() => wait(2 ** 31)).toThrow("wait() needs 0 to 2147483647 milliseconds, got 2147483648.")
    expect(() => wait(-1)).toThrow("got -1")
    expect(() => wait(Number.NaN)).toThrow("got NaN")
  })

  it("numbers tool calls over the whole script, and sends broken arguments as they stand", async () => {
    const model = scriptedModel([[call("read")], [call("read", '{"pa', { id: "mine" }), call("write", {})]])

    await collect(model.stream(request, never))
    const events = await collect(model.stream(request, never))

    expect(events.filter(({ type }) => type === "tool-call")).toEqual([
      { type: "tool-call", id: "mine", name: "read", input: '{"pa' },
      { type: "tool-call", id: "call_2", name: "write", input: "{}" },
    ])
  })

  it("finishes with tool calls when it made some, else with stop, unless told", async () => {
    const model = scriptedModel([[call("read")], [text("Hi")], [text("Hi"), finish("length")]])
    const reason = async () => (await collect(model.stream(request, never))).at(-1)

    expect(await reason()).toMatchObject({ type: "finish", reason: "tool-calls" })
    expect(await reason()).toMatchObject({ type: "finish", reason: "stop" })
    expect(await reason()).toMatchObject({ type: "finish", reason: "length" })
  })

  it("estimates four characters a token", async () => {
    const model = scriptedModel([[reasoning("12345678"), text("1234"), call("read", "12345")]])
    const long = requestAfter(0, {
      system: ["1234"],
      messages: [
        { role: "user", content: [{ type: "text", text: "1234" }] },
        { role: "assistant", content: [{ type: "tool-call", callID: "c", name: "read", input: {} }] },
        {
          role: "tool",
          content: [{ type: "tool-result", callID: "c", name: "read", output: "1234567890", isError: false }],
        },
        {
          role: "user",
          content: [{ type: "file", mime: "image/png", url: `data:image/png;base64,${"A".repeat(999)}` }],
        },
      ],
    })

    const [last] = (await collect(model.stream(long, never))).slice(-1)

    expect(last).toMatchObject({ usage: { input: 6, output: 4, reasoning: 2 } })
  })

  it("throws the error of a reply after what came before it", async () => {
    const error = new ProviderError("rate-limited", "Slow down.", { retryAfter: 1000 })
    const model = scriptedModel([[text("Half"), fail(error)]])
    const seen: string[] = []

    const reading = async () => {
      for await (const event of model.stream(request, never)) seen.push(event.type)
    }

    await expect(reading()).rejects.toBe(error)
    expect(seen).toEqual(["start", "start-step", "text-start", "text-delta", "text-end"])
  })

  it("plays events as they stand, and adds no second start or finish to them", async () => {
    const events = [
      { type: "start" },
      { type: "text-start", id: "x" },
      { type: "text-delta", id: "x", text: "Hi" },
      { type: "finish", reason: "stop", usage: noTokens },
    ] as const
    const model = scriptedModel([events, [{ type: "text-delta", id: "y", text: "no start" }]])

    expect(await collect(model.stream(request, never))).toEqual(events)
    expect((await collect(model.stream(request, never))).map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "text-delta",
      "finish-step",
      "finish",
    ])
  })

  it("says when its script has run out", async () => {
    const model = scriptedModel([[text("Only this.")]])
    await answer(model, request)

    const reading = collect(model.stream(request, never))

    await expect(reading).rejects.toBeInstanceOf(ProviderError)
    await expect(reading).rejects.toMatchObject({
      kind: "invalid-request",
      message: "The script has no reply left: it has 1, this was request 2.",
    })
  })

  it("takes a name and limits of its own", () => {
    const ref = { providerID: "acme", modelID: "small" }
    const model = scriptedModel([], { ref, info: { limit: { context: 1000, output: 100 } } })

    expect(model.ref).toEqual(ref)
    expect(model.info).toMatchObject({ id: "small", limit: { context: 1000, output: 100 }, cost: { input: 0 } })
  })
})

describe("abort", () => {
  const abortion = expect.objectContaining({ name: "AbortError" })

  it.each([
    ["a stall", [text("Hm"), stall()]],
    ["a pause", [text("Hm"), wait(60_000)]],
  ])("ends %s and leaves no timer", async (_name, reply) => {
    const before = timers()
    const controller = new AbortController()
    const reading = (async () => {
      for await (const event of scriptedModel([reply]).stream(request, controller.signal)) {
        if (event.type === "text-end") setImmediate(() => controller.abort())
      }
    })()

    await expect(reading).rejects.toEqual(abortion)
    // Timers of other tests may have ended meanwhile.
    expect(timers()).toBeLessThanOrEqual(before)
  })

  it("ends a reply between two events", async () => {
    const controller = new AbortController()
    const seen: string[] = []
    const reading = async () => {
      for await (const event of scriptedModel([[text(["a", "b"])]]).stream(request, controller.signal)) {
        seen.push(event.type)
        if (event.type === "text-delta") controller.abort(new Error("enough"))
      }
    }

    await expect(reading()).rejects.toMatchObject({ name: "AbortError", cause: { message: "enough" } })
    expect(seen).toEqual(["start", "start-step", "text-start", "text-delta"])
  })

  it("says nothing at all when it comes first", async () => {
    await expect(collect(scriptedModel([[text("Hi")]]).stream(request, AbortSignal.abort()))).rejects.toEqual(abortion)
  })
})

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length
}

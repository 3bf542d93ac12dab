import { getEventListeners } from "node:events"
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { ProviderError } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { collect, info, languageModel, ref, request, stop, usage } from "../test/language-model.ts"
import { aiSdkModel, type AiSdkModelOptions } from "./ai-sdk-model.ts"

const never = new AbortController().signal

function model(languageModelOrLoad: AiSdkModelOptions["languageModel"], options: Partial<AiSdkModelOptions> = {}) {
  return aiSdkModel({ languageModel: languageModelOrLoad, ref, info, ...options })
}

function eventsOf(parts: readonly LanguageModelV4StreamPart[]) {
  return collect(model(languageModel(parts)).stream(request(), never))
}

describe("what a vendor needs besides", () => {
  it("is added to a call by the provider, with the request in view", async () => {
    const acme = languageModel([stop])
    const adapt: AiSdkModelOptions["adapt"] = (call, { sessionID }) => ({
      ...call,
      providerOptions: { ...call.providerOptions, acme: { ...call.providerOptions?.["acme"], session: sessionID } },
    })

    await collect(model(acme, { adapt }).stream(request({ settings: { options: { effort: "low" } } }), never))

    expect(acme.calls[0]?.providerOptions).toEqual({ acme: { effort: "low", session: "ses_1" } })
  })

  it("comes with a call of a tool, and goes back with it", async () => {
    const providerMetadata = { acme: { signature: "s" } }
    const call = (
      await eventsOf([
        { type: "tool-call", toolCallId: "c", toolName: "read", input: "{}", providerMetadata },
        { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: usage(1, 1) },
      ])
    ).find(({ type }) => type === "tool-call")
    expect(call).toEqual({ type: "tool-call", id: "c", name: "read", input: "{}", metadata: providerMetadata })

    const acme = languageModel([stop])
    const content = [{ type: "tool-call", callID: "c", name: "read", input: {}, metadata: providerMetadata }] as const
    await collect(model(acme).stream(request({ messages: [{ role: "assistant", content }] }), never))
    expect(acme.calls[0]?.prompt[0]?.content).toMatchObject([{ providerOptions: providerMetadata }])
  })

  it("is a form for the answer, where the request has one", async () => {
    const acme = languageModel([stop])
    const schema = { type: "object" }

    await collect(model(acme).stream(request({ responseFormat: { schema, name: "answer" } }), never))
    await collect(model(acme).stream(request(), never))

    expect(acme.calls[0]?.responseFormat).toEqual({ type: "json", schema, name: "answer" })
    expect(acme.calls[1]).not.toHaveProperty("responseFormat")
  })
})

describe("the events of an answer", () => {
  it("turns every kind of part into its event, in order, with one finish at the end", async () => {
    const events = await eventsOf([
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "r1" },
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Hm." },
      { type: "reasoning-end", id: "r" },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "I look." },
      { type: "text-end", id: "t" },
      { type: "tool-input-start", id: "c1", toolName: "read" },
      { type: "tool-input-delta", id: "c1", delta: '{"path":' },
      { type: "tool-input-delta", id: "c1", delta: '"a"}' },
      { type: "tool-input-end", id: "c1" },
      { type: "tool-call", toolCallId: "c1", toolName: "read", input: '{"path":"a"}' },
      { type: "tool-call", toolCallId: "s1", toolName: "search", input: "{}", providerExecuted: true },
      { type: "tool-result", toolCallId: "s1", toolName: "search", result: { hits: 1 }, preliminary: true },
      { type: "tool-result", toolCallId: "s1", toolName: "search", result: { hits: 2 } },
      { type: "tool-result", toolCallId: "s2", toolName: "search", result: "no such index", isError: true },
      { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: usage(10, 5) },
    ])

    const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } }
    expect(events).toEqual([
      { type: "start" },
      { type: "start-step" },
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", text: "Hm." },
      { type: "reasoning-end", id: "r" },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", text: "I look." },
      { type: "text-end", id: "t" },
      { type: "tool-input-start", id: "c1", name: "read" },
      { type: "tool-input-delta", id: "c1", delta: '{"path":' },
      { type: "tool-input-delta", id: "c1", delta: '"a"}' },
      { type: "tool-input-end", id: "c1" },
      { type: "tool-call", id: "c1", name: "read", input: '{"path":"a"}' },
      { type: "tool-call", id: "s1", name: "search", input: "{}", providerExecuted: true },
      { type: "tool-result", id: "s1", name: "search", output: { hits: 2 } },
      { type: "tool-error", id: "s2", name: "search", error: "no such index" },
      { type: "finish-step", reason: "tool-calls", usage: tokens },
      { type: "finish", reason: "tool-calls", usage: tokens },
    ])
  })

  it("leaves out parts that say nothing to the engine, known or not", async () => {
    const events = await eventsOf([
      { type: "ping" },
      { type: "raw", rawValue: {} },
      { type: "source", sourceType: "url", id: "1", url: "https://example.test" },
      { type: "of-tomorrow" } as unknown as LanguageModelV4StreamPart,
      stop,
    ])

    expect(events.map(({ type }) => type)).toEqual(["start", "start-step", "finish-step", "finish"])
  })

  it("hands on at a block's end what the provider wants back, whichever piece it came with", async () => {
    const signature = { anthropic: { signature: "s" } }
    const events = await eventsOf([
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "", providerMetadata: signature },
      { type: "reasoning-end", id: "r" },
      { type: "text-start", id: "t", providerMetadata: { openai: { itemId: "i" } } },
      { type: "text-end", id: "t" },
      stop,
    ])

    expect(events).toContainEqual({ type: "reasoning-end", id: "r", metadata: signature })
    expect(events).toContainEqual({ type: "text-start", id: "t", metadata: { openai: { itemId: "i" } } })
    expect(events).toContainEqual({ type: "text-end", id: "t", metadata: { openai: { itemId: "i" } } })
  })

  it("does not hand on what belongs to an earlier block of the same id", async () => {
    const events = await eventsOf([
      { type: "reasoning-start", id: "r", providerMetadata: { acme: { signature: "first" } } },
      { type: "reasoning-end", id: "r" },
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-end", id: "r" },
      stop,
    ])

    expect(events.filter(({ type }) => type === "reasoning-end")).toEqual([
      { type: "reasoning-end", id: "r", metadata: { acme: { signature: "first" } } },
      { type: "reasoning-end", id: "r" },
    ])
  })

  it.each([
    ["stop", false, "stop"],
    ["stop", true, "tool-calls"],
    ["length", true, "length"],
    ["content-filter", false, "content-filter"],
    ["tool-calls", true, "tool-calls"],
    ["error", false, "error"],
    ["interrupted", false, "unknown"],
    ["other", false, "unknown"],
  ] as const)("finishes for %s (with a tool call: %s) as %s", async (unified, calls, reason) => {
    const call = { type: "tool-call", toolCallId: "c", toolName: "read", input: "{}" } as const
    const events = await eventsOf([
      ...(calls ? [call] : []),
      { type: "finish", finishReason: { unified, raw: unified }, usage: usage(1, 1) },
    ])

    expect(events.at(-1)).toMatchObject({ type: "finish", reason })
  })

  it("does not call it tool calls when the provider ran the tool itself", async () => {
    const events = await eventsOf([
      { type: "tool-call", toolCallId: "s", toolName: "search", input: "{}", providerExecuted: true },
      stop,
    ])

    expect(events.at(-1)).toMatchObject({ reason: "stop" })
  })
})

describe("failures", () => {
  it("hands on no call that was made of half an answer", async () => {
    const parts: LanguageModelV4StreamPart[] = [
      { type: "tool-input-start", id: "c", toolName: "read" },
      { type: "tool-input-end", id: "c" },
      { type: "tool-call", toolCallId: "c", toolName: "read", input: "" },
      { type: "finish", finishReason: { unified: "other", raw: undefined }, usage: usage(1, 1) },
    ]
    const types: string[] = []
    const read = async () => {
      for await (const { type } of model(languageModel(parts)).stream(request(), never)) types.push(type)
    }

    await expect(read()).rejects.toMatchObject({ kind: "incomplete-stream" })
    expect(types).toEqual(["start", "start-step", "tool-input-start"])
  })

  it("throws what the call rejects with, classified, before any event", async () => {
    const failing = languageModel([], { doStream: () => Promise.reject(new Error("rate limit")) })

    const error = await collect(model(failing).stream(request(), never)).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ kind: "rate-limited", details: { providerID: "acme" } })
    expect(failing.calls).toHaveLength(1)
  })

  it("throws an error part after the events before it, and lets go of the answer", async () => {
    const parts: LanguageModelV4StreamPart[] = [
      { type: "text-start", id: "t" },
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      stop,
    ]
    const source = languageModel(parts, { never: true })
    const seen: string[] = []

    const reading = async () => {
      for await (const event of model(source).stream(request(), never)) seen.push(event.type)
    }

    await expect(reading()).rejects.toMatchObject({ kind: "transient" })
    expect(seen).toEqual(["start", "start-step", "text-start"])
    expect(source.cancelled).toBe(true)
  })

  it.each<[string, LanguageModelV4StreamPart[]]>([
    ["the stream ends", []],
    [
      "a finish without any reason ends the stream",
      [{ type: "finish", finishReason: { unified: "other", raw: undefined }, usage: usage(0, 0) }],
    ],
    [
      "an interruption ends the stream",
      [{ type: "finish", finishReason: { unified: "interrupted", raw: undefined }, usage: usage(0, 0) }],
    ],
  ])("is an incomplete stream when %s after some text", async (_name, last) => {
    const text: LanguageModelV4StreamPart[] = [
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "Half a" },
    ]

    await expect(eventsOf([...text, ...last])).rejects.toMatchObject({
      kind: "incomplete-stream",
      message: 'The provider "acme" broke off: the answer ended without a finish.',
    })
  })

  it("throws a failure of the stream itself, classified", async () => {
    const broken = languageModel([], {
      doStream: () =>
        Promise.resolve({
          stream: new ReadableStream({
            pull() {
              throw new TypeError("terminated", {
                cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
              })
            },
          }),
        }),
    })

    await expect(collect(model(broken).stream(request(), never))).rejects.toMatchObject({ kind: "incomplete-stream" })
  })

  it("classifies a malformed part instead of letting it through", async () => {
    const malformed = { type: "finish", finishReason: { unified: "stop", raw: "stop" } } as LanguageModelV4StreamPart

    await expect(eventsOf([malformed])).rejects.toBeInstanceOf(ProviderError)
  })

  it("asks a classifier of the caller's own", async () => {
    const failing = languageModel([], { doStream: () => Promise.reject(new Error("odd")) })
    const classify = (error: unknown) => new ProviderError("content-policy", (error as Error).message)

    await expect(collect(model(failing, { classify }).stream(request(), never))).rejects.toMatchObject({
      kind: "content-policy",
      message: "odd",
    })
  })
})

describe("abort", () => {
  const abortion = expect.objectContaining({ name: "AbortError" })

  it("asks nothing of the language model when it comes before the request", async () => {
    const source = languageModel([stop])

    await expect(collect(model(source).stream(request(), AbortSignal.abort()))).rejects.toEqual(abortion)
    expect(source.calls).toHaveLength(0)
  })

  it("ends a call that does not listen, and throws its late answer away", async () => {
    const controller = new AbortController()
    const { promise, resolve } = Promise.withResolvers<{ stream: ReadableStream }>()
    const cancelled = Promise.withResolvers<string>()
    const deaf = languageModel([], { doStream: () => promise })

    const reading = collect(model(deaf).stream(request(), controller.signal))
    controller.abort()

    await expect(reading).rejects.toEqual(abortion)
    resolve({ stream: new ReadableStream({ cancel: () => cancelled.resolve("cancelled") }) })
    await expect(cancelled.promise).resolves.toBe("cancelled")
  })

  it("ends a stream that does not listen, and lets go of it", async () => {
    const controller = new AbortController()
    const silent = languageModel([{ type: "text-start", id: "t" }], { never: true })
    const events = model(silent).stream(request(), controller.signal)[Symbol.asyncIterator]()
    for (const type of ["start", "start-step", "text-start"]) {
      expect(await events.next()).toMatchObject({ value: { type } })
    }

    const pending = events.next()
    controller.abort(new Error("too slow"))

    await expect(pending).rejects.toMatchObject({ name: "AbortError", cause: { message: "too slow" } })
    expect(silent.cancelled).toBe(true)
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it("that comes while an answer begins lets go of it, whichever is first", async () => {
    for (let turns = 0; turns < 20; turns++) {
      const controller = new AbortController()
      const open = languageModel([], { never: true })
      const abortLater = async () => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        controller.abort()
      }
      const timed = languageModel([], {
        doStream(call) {
          void abortLater()
          return open.doStream(call)
        },
      })

      await expect(collect(model(timed).stream(request(), controller.signal))).rejects.toEqual(abortion)
      await expect.poll(() => open.cancelled).toBe(true)
    }
  })

  it("ends the loading of a language model", async () => {
    const controller = new AbortController()
    const loading = model(() => new Promise(() => {}))

    const reading = collect(loading.stream(request(), controller.signal))
    controller.abort()

    await expect(reading).rejects.toEqual(abortion)
  })

  it("lets go of the answer when the reader leaves early", async () => {
    const open = languageModel([{ type: "text-start", id: "t" }], { never: true })

    for await (const event of model(open).stream(request(), never)) {
      if (event.type === "text-start") break
    }

    expect(open.cancelled).toBe(true)
  })

  it("leaves no listener on the signal", async () => {
    const { signal } = new AbortController()

    await collect(model(languageModel([stop])).stream(request(), signal))

    expect(getEventListeners(signal, "abort")).toEqual([])
  })
})

it("has the prompt of its vendor, by its name or its family", () => {
  const claude = model(languageModel([stop]), { ref: { providerID: "acme", modelID: "claude-large" } })
  const family = model(languageModel([stop]), { info: { ...info, promptFamily: "anthropic" } })

  expect(claude.systemPrompt).toContain("Create no file that the task does not need")
  expect(family.systemPrompt).toBe(claude.systemPrompt)
  expect(model(languageModel([stop])).systemPrompt).toBeUndefined()
})

it("finds the files that its vendor refused", async () => {
  const error = new ProviderError("invalid-request", "messages.0.content.0.image.source: the image is broken")
  const file = { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" } as const
  const refused = { ...request(), messages: [{ role: "user" as const, content: [file] }] }

  const found = await model(languageModel([stop])).findRejectedFiles?.(error, refused)

  expect(found?.files).toEqual([file])
})

describe("loading", () => {
  it("loads the language model at the first request, once", async () => {
    let loads = 0
    const lazy = model(async () => {
      loads++
      return languageModel([stop])
    })
    expect(loads).toBe(0)

    await collect(lazy.stream(request(), never))
    await collect(lazy.stream(request(), never))

    expect(loads).toBe(1)
  })

  it("tries again after a failure", async () => {
    let loads = 0
    const flaky = model(async () => {
      if (loads++ === 0) throw new Error("unavailable")
      return languageModel([stop])
    })

    await expect(collect(flaky.stream(request(), never))).rejects.toMatchObject({ kind: "transient" })
    await expect(collect(flaky.stream(request(), never))).resolves.toHaveLength(4)
  })
})

import { type Model, type ModelEvent, ProviderError } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { collect, never, requestAfter } from "../test/session.ts"
import { recording, scriptHeader } from "./recording.ts"
import { replayModel } from "./replay-model.ts"
import type { Reply } from "./reply/reply.ts"
import { call, fail, finish, reasoning, stall, text } from "./reply/steps.ts"
import { parseScript } from "./script/parse-script.ts"
import { scriptedModel } from "./scripted-model.ts"

const request = requestAfter(0)

async function record(reply: Reply): Promise<{ events: unknown[]; line: string }> {
  const lines: string[] = []
  const events = await outcome(recording(scriptedModel([reply]), (line) => lines.push(line)))
  expect(lines).toHaveLength(1)
  return { events, line: lines[0] ?? "" }
}

function replay(line: string): Promise<unknown[]> {
  return outcome(replayModel(parseScript(line, "recorded"), { providerID: "replay", modelID: "m" }))
}

/** The events with the deltas of a block in one, and block ids left out. An error is the last element. */
async function outcome(model: Model): Promise<unknown[]> {
  const whole: Record<string, unknown>[] = []
  try {
    for await (const event of model.stream(request, never)) {
      const last = whole.at(-1)
      const isDelta = event.type === "text-delta" || event.type === "reasoning-delta"
      if (isDelta && last?.["type"] === event.type) last["text"] = String(last["text"]) + event.text
      else if (event.type === "tool-input-delta" && last?.["type"] === event.type) {
        last["delta"] = String(last["delta"]) + event.delta
      } else whole.push({ ...event, ...(/^(?:text|reasoning)/.test(event.type) && { id: "" }) })
    }
  } catch (error) {
    const { kind, message, details } = error as ProviderError
    whole.push({ kind, message, retryAfter: details.retryAfter, statusCode: details.statusCode })
  }
  return whole
}

describe("a recorded reply", () => {
  it.each<[string, Reply]>([
    ["text", [text(["It is ", "not there.\n"])]],
    ["empty", []],
    ["reasoning with a signature", [reasoning("Hm.", { acme: { signature: "s" } }), text("Yes.")]],
    ["redacted reasoning", [reasoning("", { acme: { redacted: "…" } }), text("Yes.")]],
    ["tool calls", [text("I look."), call("read", { path: "a" }), call("list", {}), finish("tool-calls")]],
    ["arguments that are broken", [call("read", '{"path": "a')]],
    ["arguments in a form of their own", [call("read", '{ "b": 1,  "a": 1.0 }')]],
    ["no arguments", [call("read", "")]],
    ["a finish that does not fit", [call("read", {}), finish("length")]],
    ["token counts", [text("Hi"), finish("stop", { input: 9, output: 8, reasoning: 7, cacheRead: 6, cacheWrite: 5 })]],
    ["several blocks with one id", [...block("t", "One."), call("read", {}, { id: "c" }), ...block("t", "Two.")]],
    [
      "a tool of the provider's own",
      [
        { type: "tool-call", id: "s", name: "search", input: "{}", providerExecuted: true },
        { type: "tool-result", id: "s", name: "search", output: { hits: 2 } },
        { type: "tool-error", id: "s2", name: "search", error: "no index" },
        text("Found."),
      ],
    ],
    [
      "an error in the middle",
      [text("Half"), fail(new ProviderError("rate-limited", "Slow.", { retryAfter: 500, statusCode: 429 }))],
    ],
    ["an error at once", [fail(new ProviderError("auth", "No key."))]],
  ])("plays back as it was: %s", async (_name, reply) => {
    const { events, line } = await record(reply)

    expect(await replay(line)).toEqual(events)
  })

  it("is a line that a person can read and write", async () => {
    const { line } = await record([
      reasoning("Hm."),
      text(["I ", "look."]),
      call("read", { path: "a" }),
      finish("tool-calls", { input: 12, output: 8, cacheRead: 4 }),
    ])

    expect(line).toBe(
      '{"reply":[{"reasoning":"Hm."},{"text":"I look."},{"tool":"read","id":"call_1","input":{"path":"a"}}],' +
        '"usage":{"input":12,"output":8,"cacheRead":4}}',
    )
  })

  it("keeps its parts in the order in which they began, also when they overlap", async () => {
    const { line } = await record([
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", text: "I " },
      { type: "tool-input-start", id: "c", name: "read" },
      { type: "tool-input-start", id: "cut", name: "write" },
      { type: "text-delta", id: "t", text: "look." },
      { type: "tool-call", id: "c", name: "read", input: "{}" },
      { type: "text-end", id: "t" },
      finish("stop", { input: 1, output: 1 }),
    ])

    expect(JSON.parse(line)).toEqual({
      reply: [{ text: "I look." }, { tool: "read", id: "c", input: {} }],
      usage: { input: 1, output: 1 },
      finish: "stop",
    })
  })
})

describe("a recording", () => {
  it("hands on every event, and is the same model", async () => {
    let connected = 0
    const model = { ...scriptedModel([[text("Hi")], [text("Hi")]]), connect: () => void connected++ }
    const recorded = recording(model, () => {})

    expect(await collect(recorded.stream(request, never))).toEqual(await collect(model.stream(request, never)))
    expect(recorded.ref).toBe(model.ref)
    expect(recorded.info).toBe(model.info)
    recorded.connect?.()
    expect(connected).toBe(1)
  })

  it("of an aborted reply ends where the reply ended", async () => {
    expect(await recordUntil([text("Half a "), stall()], () => new DOMException("", "AbortError"))).toEqual([
      '{"reply":[{"text":"Half a "}]}',
    ])
    expect(await recordUntil([reasoning(""), stall()], () => new DOMException("", "AbortError"))).toHaveLength(1)
  })

  it("of a reply that was aborted before it began is nothing", async () => {
    expect(await recordUntil([], () => new DOMException("", "AbortError"))).toEqual([])
  })

  it("of a reply that was too slow for the engine ends with the engine's error", async () => {
    const [line] = await recordUntil([text("Half"), stall()], () => new ProviderError("transient", "Silent for 9 s."))

    expect(JSON.parse(line ?? "")).toEqual({
      reply: [{ text: "Half" }, { error: { kind: "transient", message: "Silent for 9 s." } }],
    })
  })

  it("is written when the reader leaves before the end", async () => {
    const lines: string[] = []
    const recorded = recording(scriptedModel([[text("Hi"), text("there")]]), (line) => lines.push(line))

    for await (const event of recorded.stream(request, never)) if (event.type === "text-end") break

    expect(lines).toEqual(['{"reply":[{"text":"Hi"}]}'])
  })

  it("begins with a header that describes the model", () => {
    const { info } = scriptedModel([], { info: { name: "Small", limit: { context: 8000, input: 6000, output: 100 } } })

    const script = parseScript(scriptHeader(info), "recorded")

    expect(replayModel(script, { providerID: "replay", modelID: "scripted" }).info).toEqual(info)
  })
})

function block(id: string, content: string): readonly ModelEvent[] {
  return [
    { type: "text-start", id },
    { type: "text-delta", id, text: content },
    { type: "text-end", id },
  ]
}

/** The lines of a recording that is aborted at the first event behind which nothing comes. */
async function recordUntil(reply: Reply, reason: () => unknown): Promise<string[]> {
  const lines: string[] = []
  const controller = new AbortController()
  if (reply.length === 0) controller.abort(reason())
  const recorded = recording(scriptedModel([reply]), (line) => lines.push(line))
  const reading = (async () => {
    for await (const event of recorded.stream(request, controller.signal)) {
      if (event.type.endsWith("-end")) controller.abort(reason())
    }
  })()
  await expect(reading).rejects.toMatchObject({ name: "AbortError" })
  return lines
}

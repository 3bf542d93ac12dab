import { SpanStatusCode } from "@opentelemetry/api"
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"
import type { AssistantMessage, MessageWithParts } from "@pawl/core/record"
import { expect, it } from "vitest"
import { createTraces } from "./traces.ts"

function scene() {
  const exporter = new InMemorySpanExporter()
  const spans = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  return { traces: createTraces(spans.getTracer("test")), sent: () => exporter.getFinishedSpans() }
}

const tokens = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } }
const info = {
  ...{ id: "msg_1", sessionID: "ses_1", role: "assistant", providerID: "acme", modelID: "large", agent: "build" },
  ...{ cost: 1, tokens, requests: 1, time: { created: 1000, completed: 2000 } },
} as unknown as AssistantMessage

function message(parts: readonly object[], more: Partial<AssistantMessage> = {}): MessageWithParts<AssistantMessage> {
  return { info: { ...info, ...more }, parts: parts as never }
}

it("marks a request as failed in whose place another model is asked", () => {
  const { traces, sent } = scene()
  const fallback = { for: { providerID: "acme", modelID: "large" }, to: { providerID: "acme", modelID: "small" } }
  traces.answered(message([{ type: "retry", attempt: 1, kind: "transient", time: { created: 1500 }, fallback }]))
  const [span] = sent()
  expect(span?.status.code).toBe(SpanStatusCode.ERROR)
  expect(span?.attributes["error.type"]).toBe("transient")
})

it("has no span for a message that no model was asked for", () => {
  const { traces, sent } = scene()
  traces.answered(message([], { requests: 0, error: { name: "UnknownError", data: { message: "secret" } } }))
  expect(sent()).toEqual([])
})

it("ends what is under way by the clock that it began by", () => {
  const { traces, sent } = scene()
  const before = Date.now()
  traces.began({ id: "ses_1" }, before)
  traces.began({ id: "ses_1" }, 5)
  traces.began({ id: "ses_2", parentID: "ses_1" }, before)
  expect([traces.isOpen("ses_1"), traces.isOpen("ses_3")]).toEqual([true, false])
  traces.ended("ses_2")
  traces.close()
  const spans = sent()
  expect(spans.map(({ attributes }) => attributes["gen_ai.conversation.id"])).toEqual(["ses_2", "ses_1"])
  for (const { startTime, endTime } of spans) {
    expect(startTime[0] * 1000 + startTime[1] / 1e6).toBeCloseTo(before, 0)
    expect(Math.abs(endTime[0] * 1000 - Date.now())).toBeLessThan(60_000)
  }
  expect(spans[0]?.parentSpanContext?.spanId).toBe(spans[1]?.spanContext().spanId)
})

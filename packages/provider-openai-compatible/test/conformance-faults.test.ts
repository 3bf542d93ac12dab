import { type ModelEvent, ProviderError } from "@pawl/core/provider"
import { chatWire, providerSections, runSpec } from "@pawl/provider-testkit"
import { describe, expect, it } from "vitest"
import { openAICompatible } from "../src/openai-compatible.ts"
import { broken, type Fault, mapEvents } from "./broken-provider.ts"

/** The specs of these sections that a provider with the fault does not pass. */
async function failing(fault: Fault, titles: readonly string[]): Promise<string[]> {
  const sections = providerSections.filter(({ title }) => titles.includes(title))
  const names: string[] = []
  for (const spec of sections.flatMap(({ specs }) => specs)) {
    const open = ({ url }: { url: string }, connection: object) =>
      broken(openAICompatible({ id: "acme", baseURL: url, ...connection }), fault)
    await runSpec(spec, { open, modelID: "small", wire: chatWire }).catch(() => names.push(spec.name))
  }
  return names
}

const without = (type: ModelEvent["type"]) => mapEvents((event) => (event.type === type ? [] : [event]))
const twice = (type: ModelEvent["type"]) => mapEvents((event) => (event.type === type ? [event, event] : [event]))

async function* swallowing(events: AsyncIterable<ModelEvent>) {
  try {
    yield* events
  } catch {
    // The stream ends as if that were all.
  }
}

async function* loud(events: AsyncIterable<ModelEvent>) {
  try {
    yield* events
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw new ProviderError("unknown", `${error.message} k-correct-horse-battery`, {})
  }
}

describe("the contract notices a provider that", () => {
  it.each<[string, Fault, string, string]>([
    ["never finishes", { events: without("finish") }, "event order", "begins with start and start-step"],
    ["finishes twice", { events: twice("finish") }, "event order", "begins with start and start-step"],
    ["starts twice", { events: twice("start") }, "event order", "begins with start and start-step"],
    ["closes no text", { events: without("text-end") }, "event order", "opens every text"],
    ["opens no call", { events: without("tool-input-start") }, "event order", "opens every text"],
    ["says things twice", { events: twice("text-delta") }, "event order", "gives a text in the pieces"],
    [
      "always stops",
      { events: mapEvents((event) => ["reason" in event ? { ...event, reason: "stop" as const } : event]) },
      "finish",
      "is length where",
    ],
    [
      "counts the cache twice",
      {
        events: mapEvents((event) => {
          if (!("usage" in event)) return [event]
          return [{ ...event, usage: { ...event.usage, input: event.usage.input + event.usage.cache.read } }]
        }),
      },
      "usage",
      "counts no token twice",
    ],
    ["calls twice", { events: twice("tool-call") }, "tool calls", "are one event each"],
    [
      "mends arguments",
      { events: mapEvents((event) => [event.type === "tool-call" ? { ...event, input: "{}" } : event]) },
      "broken arguments",
      "are handed on as the model wrote them",
    ],
    ["keeps its reasoning", { events: without("reasoning-delta") }, "reasoning", "is told apart"],
    ["swallows failures", { events: swallowing }, "incomplete answers", "that end without a finish break off"],
    ["tells the key", { events: loud }, "errors", "hold no key"],
    ["knows no kinds", { events: loud }, "errors", "for a wrong key are of kind auth"],
    [
      "loses system blocks",
      { request: (request) => ({ ...request, system: request.system.slice(0, 1) }) },
      "requests",
      "carry every system block",
    ],
    [
      "loses headers",
      { request: (request) => ({ ...request, headers: {} }) },
      "requests",
      "carry the provider's headers",
    ],
    [
      "turns tools around",
      { request: (request) => ({ ...request, tools: request.tools.toReversed() }) },
      "requests",
      "carry the tools",
    ],
    [
      "loses files",
      {
        request: (request) => ({
          ...request,
          messages: request.messages.map((message) =>
            message.role === "user"
              ? { ...message, content: message.content.filter(({ type }) => type === "text") }
              : message,
          ),
        }),
      },
      "images",
      "go along with the user's words",
    ],
    [
      "tells the time",
      { request: (request) => ({ ...request, system: [...request.system, String(performance.now())] }) },
      "stable prefix",
      "says again what it said before",
    ],
  ])("%s", async (_fault, fault, section, spec) => {
    expect(await failing(fault, [section])).toContainEqual(expect.stringContaining(spec))
  })
})

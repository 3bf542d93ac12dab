import { ProviderError } from "../src/base/errors.ts"
import type { PluginHooks } from "../src/hooks/plugin.ts"
import type { PluginEntry } from "../src/plugin.ts"
import type { HookInput } from "../src/contracts/hooks.ts"
import type { EngineEvent } from "../src/index.ts"
import type { Model, ModelEvent, ModelMessage, ModelRequest } from "../src/provider.ts"
import { testTool } from "./engine-fixture.ts"
import { called, said } from "./streaming-model.ts"

export interface WindowModelOptions {
  /** Tokens of the window; what is sent beyond it is refused, as providers do. 0: no limit. */
  readonly context: number
  readonly output?: number
  /** What the agent answers to its nth request, from 0. */
  readonly agent: (request: ModelRequest, n: number) => readonly ModelEvent[]
  /** What a summarizer answers to its nth request; a thrown error is the provider's. */
  readonly summarizer?: (request: ModelRequest, n: number) => string
  readonly bytesPerToken?: number
  readonly providerID?: string
}

export interface WindowModel extends Model {
  /** Those of the agent, and those of summarizers. */
  readonly asked: ModelRequest[]
  readonly summaries: ModelRequest[]
}

/** A model with a window: it counts what it is sent, refuses what is too long or not valid, and says what it has read. */
export function windowModel({
  context,
  output = 1000,
  agent,
  summarizer,
  bytesPerToken = 4,
  providerID = "test",
}: WindowModelOptions): WindowModel {
  const asked: ModelRequest[] = []
  const summaries: ModelRequest[] = []
  return {
    asked,
    summaries,
    ref: { providerID, modelID: "window" },
    info: {
      ...{ id: "window", name: "window", limit: { context, output } },
      cost: { input: 1, output: 1, cacheRead: 0.1, cacheWrite: 1.25 },
      capabilities: { reasoning: false, attachment: true, toolCall: true },
    },
    async *stream(request) {
      const input = tokensOf(request, bytesPerToken)
      requireValid(request)
      const isSummary = isSummarizer(request)
      const n = (isSummary ? summaries : asked).push(request) - 1
      if (context > 0 && input + (request.settings.maxOutputTokens ?? 0) > context) {
        throw new ProviderError("overflow", `prompt is too long: ${input} tokens > ${context}`, { statusCode: 400 })
      }
      const events = isSummary ? said(summarizer?.(request, n) ?? summary()) : agent(request, n)
      yield* events
      const calls = events.some(({ type }) => type === "tool-call")
      const usage = { input, output: 10, reasoning: 0, cache: { read: 0, write: 0 } }
      yield { type: "finish", reason: calls ? "tool-calls" : "stop", usage }
    },
  }
}

/** As a summarizer of good will writes it. */
export function summary(objective = "Do the work."): string {
  return [
    `## Objective\n${objective}`,
    "## Important details\nNone.",
    "## Work state\n- Completed: some\n- Active: more\n- Blocked: nothing",
    "## Next move\nGo on.",
    "## Relevant files\n- a.ts: the work",
  ].join("\n\n")
}

export function isSummarizer({ messages }: ModelRequest): boolean {
  const last = messages.at(-1)
  if (last?.role !== "user") return false
  return last.content.some((item) => item.type === "text" && item.text.includes("Answer with the summary alone"))
}

export function textOf(request: Pick<ModelRequest, "system" | "messages">): string {
  return JSON.stringify([request.system, request.messages])
}

export function tokensOf({ system, tools, messages }: ModelRequest, bytesPerToken: number): number {
  const definitions = tools.map(
    ({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema),
  )
  const fixed = [...system, ...definitions].map((text) => Buffer.byteLength(text))
  return Math.ceil(sum([...fixed, ...messages.map(bytesOf)]) / bytesPerToken) + messages.length * 4
}

const messageBytes = new WeakMap<ModelMessage, number>()

/** Requests share the messages that do not change. */
function bytesOf(message: ModelMessage): number {
  const bytes = messageBytes.get(message) ?? sum(message.content.map((item) => Buffer.byteLength(wordsOf(item))))
  messageBytes.set(message, bytes)
  return bytes
}

function wordsOf(item: ModelMessage["content"][number]): string {
  if (item.type === "tool-call") return item.name + JSON.stringify(item.input)
  if (item.type === "tool-result") return item.output
  return item.type === "file" ? "" : item.text
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** What strict providers insist on. */
export function requireValid({ messages }: ModelRequest): void {
  if (messages.length === 0) throw new ProviderError("invalid-request", "no messages", { statusCode: 400 })
  if (messages.at(-1)?.role === "assistant") {
    throw new ProviderError("invalid-request", "the last message is the assistant's", { statusCode: 400 })
  }
  let open: string[] = []
  for (const [at, { role, content }] of messages.entries()) {
    if (content.length === 0)
      throw new ProviderError("invalid-request", `messages[${at}] is empty`, { statusCode: 400 })
    const results = content.flatMap((item) => (item.type === "tool-result" ? [item.callID] : []))
    if (role === "tool" ? results.toSorted().join() !== open.toSorted().join() : open.length > 0) {
      throw new ProviderError("invalid-request", `messages[${at}]: calls without results`, { statusCode: 400 })
    }
    open = content.flatMap((item) => (item.type === "tool-call" ? [item.callID] : []))
    if (content.some((item) => item.type === "text" && item.text.trim() === "")) {
      throw new ProviderError("invalid-request", `messages[${at}] has an empty text`, { statusCode: 400 })
    }
  }
}

/** An answer that calls a tool. */
export function calls(name: string, input: object, id: string): ModelEvent[] {
  return [called(name, input, id)]
}

/** Gives three thousand characters about the place that it is asked for. */
export const look = testTool("look", async (input) => `${String(input["at"])}: ${"x".repeat(3000)}`, { effect: "pure" })

/** Looks at one place after the other, one a step, and is done after `steps`; so for each prompt. */
export function looking(steps: number): WindowModelOptions["agent"] {
  return (_request, n) => {
    return n % (steps + 1) === steps ? said(`Done after ${steps}.`) : calls("look", { at: `place ${n}` }, `call_${n}`)
  }
}

type Around = (request: ModelRequest, signal: AbortSignal, stream: Model["stream"]) => AsyncIterable<ModelEvent>

/** The same model with something done around each of its answers. */
export function around<T extends Model>(model: T, stream: Around): T {
  const inner: Model["stream"] = (request, signal) => model.stream(request, signal)
  return { ...model, stream: (request: ModelRequest, signal: AbortSignal) => stream(request, signal, inner) }
}

/** The compactions that were put into effect, in their order. */
export function told(events: readonly EngineEvent[]): HookInput<"session.compacted">[] {
  return events.flatMap((event) => (event.type === "session.compacted" ? [event.properties] : []))
}

export function plugin(id: string, hooks: PluginHooks, priority = 0): PluginEntry {
  return { id, plugin: () => hooks, priority }
}

export { said }

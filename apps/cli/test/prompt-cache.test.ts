import { createEngine } from "@pawl/core"
import type { Provider } from "@pawl/core/provider"
import { defineTool } from "@pawl/core/tool"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { anthropic } from "@pawl/provider-anthropic"
import { google } from "@pawl/provider-google"
import { openai } from "@pawl/provider-openai"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { temporaryDirectory } from "./host.ts"
import { anthropicCache, type CacheRead, type PlayedCache, prefixCache } from "./played-cache.ts"

const STEPS = 50
const BURST = 30

const look = defineTool<Record<string, unknown>>({
  name: "look",
  description: "Looks at a place.",
  effect: "pure",
  inputSchema: { type: "object", properties: { at: { type: "string" } } },
  parse: (input) => input as Record<string, unknown>,
  execute: async ({ at }) => ({
    title: "look",
    output: `At ${String(at)} there is ${"nothing much ".repeat(12)}`,
    metadata: {},
  }),
})

interface Vendor {
  readonly modelID: string
  readonly provider: (server: { url: string; origin: string }) => Provider
  readonly cache: () => PlayedCache
}

const claude = (promptCache: "5m" | false): Vendor => ({
  modelID: "claude-opus-5-5",
  provider: ({ url }) => anthropic({ apiKey: "k", baseURL: url, promptCache }),
  cache: anthropicCache,
})

const vendors: Readonly<Record<string, Vendor>> = {
  anthropic: claude("5m"),
  openai: {
    modelID: "gpt-5.4",
    provider: ({ url }) => openai({ apiKey: "k", baseURL: url }),
    cache: () =>
      prefixCache(
        ({ tools, instructions, input }) => [tools, instructions, ...(input as unknown[])],
        (body) => body["prompt_cache_key"],
      ),
  },
  google: {
    modelID: "gemini-3.5-flash",
    provider: ({ origin }) => google({ apiKey: "k", baseURL: `${origin}/v1beta` }),
    cache: () =>
      prefixCache(({ systemInstruction, tools, contents }) => [systemInstruction, tools, ...(contents as unknown[])]),
  },
  "a Chat Completions server": {
    modelID: "large",
    provider: ({ url }) => openAICompatible({ id: "local", baseURL: url }),
    cache: () => prefixCache((body) => [body]),
  },
  "Claude behind a gateway": {
    modelID: "anthropic/claude-opus-5.5",
    provider: ({ url }) => openAICompatible({ id: "gate", baseURL: url, promptCache: "5m" }),
    cache: () => {
      const played = anthropicCache()
      return ({ tools, messages }) => played({ tools, messages: asAnthropicHasThem(messages as ChatMessage[]) })
    },
  },
}

interface ChatMessage {
  readonly role: string
  readonly content: string | null | readonly { readonly text: string; readonly cache_control?: unknown }[]
  readonly tool_calls?: readonly unknown[]
  readonly tool_call_id?: string
}

/** A gateway makes the same block of a text, whether it stands alone or in a list, and one of each call. */
function asAnthropicHasThem(messages: readonly ChatMessage[]) {
  return messages.map(({ role, content, tool_calls: calls = [], tool_call_id: id }) => {
    const texts = typeof content === "string" ? [{ text: content }] : (content ?? [])
    const blocks = texts.map(({ text, cache_control: mark }) => ({
      id,
      text,
      ...(mark ? { cache_control: mark } : {}),
    }))
    return { role, content: [...blocks, ...calls] }
  })
}

/** What the cache gives for each request of a session of two prompts, whose steps call one tool or thirty at once. */
async function reads({ modelID, provider: providerAt, cache }: Vendor, sessions = 1): Promise<CacheRead[][]> {
  let asked = 0
  const replies = () => {
    const step = asked++ % STEPS
    if (step === STEPS / 2 - 1 || step === STEPS - 1) return reply(text("Done."))
    const calls = step % 5 === 4 ? BURST : 1
    return reply(text("Next."), ...Array.from({ length: calls }, (_, at) => call("look", { at: `${asked}/${at}` })))
  }
  await using server = await modelServer({ replies })
  const provider = providerAt(server)
  const model = { providerID: provider.id, modelID }
  await using engine = await createEngine({ storage: memoryStorage(), providers: [provider], model, tools: [look] })
  const played = cache()
  const all: CacheRead[][] = []
  for (let made = 0; made < sessions; made++) {
    const session = await engine.createSession({ directory: await temporaryDirectory() })
    const before = server.requests.length
    for (const prompt of ["Look around.", "Look once more."]) {
      const result = await engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: prompt }] })
      expect(result).toMatchObject({ type: "answered" })
    }
    all.push(server.requests.slice(before).map(({ body }) => played(body as Record<string, unknown>)))
  }
  return all
}

/** The share of what the requests before had sent that was read instead of being paid in full. */
function shareRead(requests: readonly CacheRead[]): number {
  const known = requests.slice(0, -1).reduce((sum, { size }) => sum + size, 0)
  return requests.slice(1).reduce((sum, { read }) => sum + read, 0) / known
}

describe("a session of 50 steps with bursts of 30 calls", () => {
  it.each(Object.entries(vendors))("is read from the cache of %s", async (_name, vendor) => {
    const [requests = []] = await reads(vendor)
    expect(requests).toHaveLength(STEPS)
    expect(shareRead(requests)).toBeGreaterThanOrEqual(0.95)
  })

  it("is read by nobody where no marks are wanted", async () => {
    const [requests = []] = await reads(claude(false))
    expect(shareRead(requests)).toBe(0)
  })
})

it("begins a session elsewhere with the tools and the prompt of the agent from Anthropic's cache", async () => {
  const [first = [], second = []] = await reads(claude("5m"), 2)
  expect(first[0]?.read).toBe(0)
  const { read = 0, size = 1 } = second[0] ?? {}
  expect(read / size).toBeGreaterThan(0.5)
})

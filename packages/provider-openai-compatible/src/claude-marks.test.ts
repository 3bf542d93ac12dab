import type { ModelMessage } from "@pawl/core/provider"
import { modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { never, request } from "../test/session.ts"
import { takesMarks } from "./claude-marks.ts"
import { openAICompatible, type OpenAICompatibleOptions } from "./openai-compatible.ts"

const messages: ModelMessage[] = [
  { role: "user", content: [{ type: "text", text: "One" }] },
  { role: "assistant", content: [{ type: "tool-call", callID: "call_1", name: "read", input: {} }] },
  { role: "tool", content: [{ type: "tool-result", callID: "call_1", name: "read", output: "a", isError: false }] },
  { role: "assistant", content: [{ type: "text", text: "Two" }] },
  { role: "user", content: [{ type: "text", text: "Three" }] },
]

async function sentTo(modelID: string, options: Partial<OpenAICompatibleOptions>) {
  await using server = await modelServer({ replies: [reply(text("Hi"))] })
  const provider = openAICompatible({ id: "gate", baseURL: server.url, ...options })
  const model = await provider.model(modelID)
  for await (const _ of model.stream(request({ messages }), never));
  const [sent] = server.requests
  return ((sent ?? expect.fail()).body as { messages: { role: string; content: unknown }[] }).messages
}

describe("the cache of Claude behind a gateway", () => {
  it("is marked behind the system prompt and the last two turns of the user", async () => {
    const sent = await sentTo("anthropic/claude-sonnet-5", { promptCache: "1h" })
    const cache_control = { type: "ephemeral", ttl: "1h" }
    const marked = sent.flatMap(({ role, content }) =>
      JSON.stringify(content)?.includes("cache_control") ? [role] : [],
    )
    expect(marked).toEqual(["system", "tool", "user"])
    expect(sent.find(({ role }) => role === "tool")).toMatchObject({
      content: [{ type: "text", text: "a", cache_control }],
    })
    expect(sent.at(-1)).toEqual({ role: "user", content: [{ type: "text", text: "Three", cache_control }] })
  })

  it.each([
    ["another model", "qwen/qwen3", { promptCache: "5m" as const }],
    ["a server that is not known to take them", "claude", {}],
    ["a user who wants none", "claude", { promptCache: false as const }],
  ])("is left alone for %s", async (_whom, modelID, options) => {
    expect(JSON.stringify(await sentTo(modelID, options))).not.toContain("cache_control")
  })

  it("is OpenRouter's without being asked for", () => {
    expect(takesMarks("https://openrouter.ai/api/v1")).toBe(true)
    expect(takesMarks("https://eu.openrouter.ai/api/v1")).toBe(true)
    expect(takesMarks("https://openrouter.ai.example.test/v1")).toBe(false)
    expect(takesMarks("no address")).toBe(false)
  })
})

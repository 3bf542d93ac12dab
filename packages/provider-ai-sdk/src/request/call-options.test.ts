import type { ModelMessage } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { request } from "../../test/language-model.ts"
import { createCallOptions } from "./call-options.ts"

const { signal } = new AbortController()
const user: ModelMessage = { role: "user", content: [{ type: "text", text: "Hello" }] }

describe("call options", () => {
  it("begin with the system blocks, each as a message of its own", () => {
    const { prompt } = createCallOptions("separate")(request({ system: ["Stable.", "", "Volatile."] }), "acme", signal)

    expect(prompt.slice(0, 2)).toEqual([
      { role: "system", content: "Stable." },
      { role: "system", content: "Volatile." },
    ])
    expect(prompt[2]).toMatchObject({ role: "user" })
  })

  it("join the system blocks where only one message is taken", () => {
    const { prompt } = createCallOptions("joined")(request({ system: ["Stable.", "Volatile."] }), "acme", signal)

    expect(prompt.filter(({ role }) => role === "system")).toEqual([
      { role: "system", content: "Stable.\n\nVolatile." },
    ])
  })

  it.each(["separate", "joined"] as const)("have no system message without a system prompt (%s)", (form) => {
    expect(createCallOptions(form)(request(), "acme", signal).prompt).toHaveLength(1)
  })

  it("carry tools in the order given, headers, and the signal", () => {
    const inputSchema = { type: "object", properties: {} }
    const tools = ["write", "edit"].map((name) => ({ name, description: `${name}s`, inputSchema }))

    const options = createCallOptions("separate")(request({ tools, headers: { "x-session": "s" } }), "acme", signal)

    expect(options.tools).toEqual([
      { type: "function", name: "write", description: "writes", inputSchema },
      { type: "function", name: "edit", description: "edits", inputSchema },
    ])
    expect(options.headers).toEqual({ "x-session": "s" })
    expect(options.abortSignal).toBe(signal)
  })

  it("carry the settings that are set, and the provider's own under its name", () => {
    const settings = { temperature: 0, topP: 0.9, topK: 40, maxOutputTokens: 100, options: { reasoningEffort: "low" } }

    const options = createCallOptions("separate")(request({ settings }), "acme", signal)

    expect(options).toMatchObject({ temperature: 0, topP: 0.9, topK: 40, maxOutputTokens: 100 })
    expect(options.providerOptions).toEqual({ acme: { reasoningEffort: "low" } })
    expect(createCallOptions("separate")(request(), "acme", signal)).not.toHaveProperty("temperature")
  })

  it("convert a message once, however many requests it is part of", () => {
    const toOptions = createCallOptions("separate")

    const [first] = toOptions(request({ messages: [user] }), "acme", signal).prompt
    const [again] = toOptions(request({ messages: [user, user] }), "acme", signal).prompt

    expect(again).toBe(first)
  })
})

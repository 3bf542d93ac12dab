import { empty, reply, text, usage } from "@pawl/model-server"
import { expect } from "vitest"
import { finishOf, textOf } from "../events.ts"
import { section } from "../section.ts"

export const usageCounts = section("usage", {
  "counts no token twice": async ({ start }) => {
    const counts = usage({ inputTokens: 100, outputTokens: 30, cachedTokens: 80, reasoningTokens: 10 })
    const { ask } = await start([reply(text("Hi"), counts)])
    const events = await ask()
    const { input, output, reasoning, cache } = finishOf(events).usage
    expect({ input, cached: cache.read }).toEqual({ input: 20, cached: 80 })
    expect(output + reasoning).toBe(30)
    expect([0, 10]).toContain(reasoning)
    expect(events.at(-2)).toEqual({ ...finishOf(events), type: "finish-step" })
  },
  "is there for an answer that says nothing": async ({ start }) => {
    const { ask } = await start([{ ...empty(), usage: { inputTokens: 7, outputTokens: 0 } }])
    expect(finishOf(await ask()).usage).toEqual({ input: 7, output: 0, reasoning: 0, cache: { read: 0, write: 0 } })
  },
  "is missing where the server reports something else, and the answer counts": async ({ start }) => {
    const counts = (value: unknown) => {
      const names = ["prompt_tokens", "input_tokens", "output_tokens", "promptTokenCount"]
      return Object.fromEntries(names.map((name) => [name, value]))
    }
    const details = {
      prompt_tokens_details: "x",
      input_tokens_details: 1,
      output_tokens_details: [],
      promptTokensDetails: {},
    }
    const reports = ["x", 7, [1], {}, counts("many"), counts({}), { ...counts(5), ...details }]
    const { ask, server } = await start(reports.map((raw) => reply(text("Hi"), usage({ raw }))))
    for (const raw of reports) {
      const events = await ask()
      expect({ raw, text: textOf(events), reason: finishOf(events).reason }).toEqual({
        raw,
        text: "Hi",
        reason: "stop",
      })
      // Gemini has reported the input with the pieces before.
      expect(finishOf(events).usage.output).toBe(0)
    }
    expect(server.requests).toHaveLength(reports.length)
  },
})

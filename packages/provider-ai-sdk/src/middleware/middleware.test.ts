import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import type { ModelEvent } from "@pawl/core/provider"
import { expect, it } from "vitest"
import { collect, info, languageModel, ref, request, stop, usage } from "../../test/language-model.ts"
import { aiSdkModel } from "../ai-sdk-model.ts"
import type { ModelMiddleware } from "./model-middleware.ts"

const never = new AbortController().signal

const streamed = (...deltas: readonly string[]): LanguageModelV4StreamPart[] => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "0" },
  ...deltas.map((delta) => ({ type: "text-delta", id: "0", delta }) as const),
  { type: "text-end", id: "0" },
  stop,
]

async function eventsOf(model: ReturnType<typeof languageModel>, ...middleware: readonly ModelMiddleware[]) {
  return collect(aiSdkModel({ languageModel: async () => model, ref, info, middleware }).stream(request(), never))
}

/** `reasoning: …` and `text: …`, in order. */
function words(events: readonly ModelEvent[]): string[] {
  const said: string[] = []
  for (const event of events) {
    if (event.type === "reasoning-start" || event.type === "text-start") said.push(`${event.type.split("-")[0]}: `)
    if (event.type === "reasoning-delta" || event.type === "text-delta") said[said.length - 1] += event.text
  }
  return said
}

const extractReasoning = { name: "extractReasoning" } as const

it.each<[name: string, deltas: readonly string[], middleware: ModelMiddleware, said: readonly string[]]>([
  ["a tag", ["<think>Hm.</think>Yes."], extractReasoning, ["reasoning: Hm.", "text: Yes."]],
  [
    "a tag in pieces",
    ["<th", "ink>H", "m", ".</thi", "nk>Y", "es."],
    extractReasoning,
    ["reasoning: Hm.", "text: Yes."],
  ],
  [
    "line breaks around a tag",
    ["<think>", "\n", "Hm.\n", "</think>\n", "\n", " Yes.\n", "\nNo."],
    extractReasoning,
    ["reasoning: Hm.\n", "text: Yes.\n\nNo."],
  ],
  ["an empty tag", ["<think>\n\n</think>\n\nYes."], extractReasoning, ["reasoning: ", "text: Yes."]],
  ["no tag", ["Is 1 < 2? ", "Yes."], extractReasoning, ["text: Is 1 < 2? Yes."]],
  [
    "the end of one alone",
    ["Hm.</think>Yes."],
    { ...extractReasoning, startWithReasoning: true },
    ["reasoning: Hm.", "text: Yes."],
  ],
  ["another one", ["<why>Hm.</why>Yes."], { ...extractReasoning, tagName: "why" }, ["reasoning: Hm.", "text: Yes."]],
  [
    "marks that are no tag",
    ["(thought Hm.)Yes."],
    { ...extractReasoning, tagName: { opening: "(thought ", closing: ")" } },
    ["reasoning: Hm.", "text: Yes."],
  ],
  ["a tag that is not closed", ["<think>Hm."], extractReasoning, ["reasoning: Hm.", "text: "]],
  ["a code fence", ['```json\n{"a":1}\n```'], { name: "extractJson" }, ['text: {"a":1}']],
])("makes of a text with %s what a middleware wants", async (_name, deltas, middleware, said) => {
  const events = await eventsOf(languageModel(streamed(...deltas)), middleware)
  expect(words(events)).toEqual(said)
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" })
})

it("adds the settings that a request does not have", async () => {
  const model = languageModel(streamed("Yes."))
  await eventsOf(model, { name: "defaultSettings", settings: { topK: 20, seed: 7 } })
  expect(model.calls).toMatchObject([{ topK: 20, seed: 7 }])
})

it("asks for an answer at once, and has the middleware in front of it make reasoning of it", async () => {
  const answer: LanguageModelV4GenerateResult = {
    content: [{ type: "text", text: "<think>Hm.</think>Yes." }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: usage(1, 1),
    warnings: [],
  }
  const model = { ...languageModel([]), doGenerate: async () => answer }
  const events = await eventsOf(model, extractReasoning, { name: "simulateStreaming" })
  expect(words(events)).toEqual(["reasoning: Hm.", "text: Yes."])
})

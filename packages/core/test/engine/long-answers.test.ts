import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { called } from "../streaming-model.ts"
import { said, summary, tokensOf, windowModel } from "../window-model.ts"
import type { ModelEvent, ModelRequest, ToolResultContent } from "../../src/provider.ts"
import { isStoredAgain } from "../../src/record.ts"
import type { ToolCallContent } from "../../src/contracts/model.ts"

/** Where an answer has its bytes. */
const places = ["arguments", "list", "text", "reasoning", "error", "attachment"] as const

interface Scenario {
  readonly context: number
  /** Calls of one answer. */
  readonly calls: number
  /** For each call. */
  readonly bytes: number
  readonly place: (typeof places)[number]
  /** Characters of each result. */
  readonly result: number
  /** Answers that call. */
  readonly rounds: number
}

/** By round: its longest text so far. Shorter ones are its beginnings. */
const texts = new Map<number, string>()

/** Repeats no line: an answer that repeats itself is broken off. */
function words(bytes: number, round: number): string {
  const known = texts.get(round) ?? ""
  const text = known.length >= bytes ? known : lines(Math.ceil(bytes / 41), round)
  texts.set(round, text)
  return text.slice(0, bytes)
}

function lines(count: number, round: number): string {
  let state = round + 1
  const digits = () => {
    // The generator of Marsaglia: each state but 0 once.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0).toString(16).padStart(8, "0")
  }
  const line = () => `${digits()}${digits()}${digits()}${digits()}${digits()}\n`
  return Array.from({ length: count }, line).join("")
}

function answer({ calls, bytes, place }: Scenario, round: number): ModelEvent[] {
  const total = words(bytes * calls, round)
  const long = total.slice(0, bytes)
  const reasoning: ModelEvent[] = [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", text: total },
    { type: "reasoning-end", id: "r" },
  ]
  return [
    ...(place === "reasoning" ? reasoning : []),
    ...(place === "text" ? said(total) : []),
    ...Array.from({ length: calls }, (_, n) => {
      const at = `${round}.${n}`
      const input =
        place === "arguments" ? { at, content: long } : place === "list" ? { at, edits: long.split("\n") } : { at }
      return called("write", input, `call_${at.replace(".", "_")}`)
    }),
  ]
}

function resultsOf({ messages }: ModelRequest): string[] {
  const isResult = (item: { type: string }): item is ToolResultContent => item.type === "tool-result"
  return messages.flatMap(({ content }) => content.filter(isResult).map(({ output }) => output))
}

const png = (at: number) => ({
  type: "file" as const,
  mime: "image/png",
  filename: `${at}.png`,
  url: `data:image/png;base64,${Buffer.from(`image ${at} ${"x".repeat(40)}`).toString("base64")}`,
})

/** Calls in `rounds` answers; whose results no request of the agent has carried, and what that took. */
async function work(scenario: Scenario) {
  const { context, calls, place, result, rounds, bytes } = scenario
  let round = 0
  let files = 0
  const unseen: string[] = []
  const order: string[] = []
  const tool = testTool("write", async () => "", {
    effect: "pure",
    execute: async ({ at }) => {
      if (place === "error") throw new Error(`[${String(at)}] ${"failed ".repeat(bytes)}`.slice(0, bytes))
      const output = `[${String(at)}] ${"written ".repeat(result)}`.slice(0, result)
      return { title: "write", output, ...(place === "attachment" ? { attachments: [png(files++)] } : {}) }
    },
  })
  const model = windowModel({
    ...{ context, output: Math.min(8000, context / 8) },
    agent(request) {
      order.push("a")
      const outputs = resultsOf(request)
      const expected = round > 0 ? Array.from({ length: calls }, (_, n) => `${round}.${n}`) : []
      unseen.push(...expected.filter((at) => !outputs.some((each) => each.startsWith(`[${at}] `))))
      return ++round > rounds ? said("Done.") : answer(scenario, round)
    },
    summarizer: () => (order.push("s"), summary()),
  })
  await using test = await testEngine({ model, tools: [tool] })
  const ended = await test.ask("Write all of it.")
  const longest = Math.max(...model.asked.map((request) => tokensOf(request, 4)))
  const inARow = Math.max(
    ...order
      .join("")
      .split("a")
      .map(({ length }) => length),
  )
  return { ended, unseen, answers: round, fits: longest <= context, isEndless: inARow > 3 }
}

const windows = [8000, 16_000, 32_000, 64_000, 128_000, 200_000]

describe.each(places)("an answer with long %s", (place) => {
  it.each(windows)("hides none of its results: window %i", async (context) => {
    for (const calls of [1, 20, 40]) {
      for (const bytes of [4000, 30_000]) {
        const scenario = { context, calls, bytes, place, result: calls === 20 ? 3000 : 60, rounds: 1 }
        const { ended, ...seen } = await work(scenario)
        expect({ ...scenario, type: ended.type, ...seen }).toEqual({
          ...{ ...scenario, type: "answered", unseen: [], answers: 2, fits: true, isEndless: false },
        })
      }
    }
  })
})

describe.each(places)("several answers with long %s", (place) => {
  it.each([8000, 32_000, 200_000])("hide none of their results: window %i", async (context) => {
    for (const calls of [6, 20]) {
      const scenario = { context, calls, bytes: (context * 2) / calls, place, result: 300, rounds: 5 }
      const { ended, ...seen } = await work(scenario)
      expect({ ...scenario, type: ended.type, ...seen }).toEqual({
        ...{ ...scenario, type: "answered", unseen: [], answers: 6, fits: true, isEndless: false },
      })
    }
  })
})

/** Answers twice with three calls whose arguments fill the window, and then says that it is done. */
function writing(more: (n: number) => ModelEvent[] = () => []) {
  return (_request: ModelRequest, n: number) => {
    if (n === 2) return said("Done.")
    const scenario = { context: 16_000, calls: 3, bytes: 24_000, place: "arguments", result: 0, rounds: 2 } as const
    return [...more(n), ...answer(scenario, n)]
  }
}

const write = testTool("write", async ({ at }) => `Written ${String(at)}.`, { effect: "unsafe" })

describe("arguments that fill the window", () => {
  it("are shortened in requests, with a text that says so, and stay stored as they are", async () => {
    const model = windowModel({ context: 16_000, agent: writing() })
    await using test = await testEngine({ model, tools: [write] })
    await test.ask("Write.")

    const inputs = callsOf(model.asked[1]).map(({ input }) => input as Record<string, string>)
    expect(inputs.map(({ at }) => at)).toEqual(["0.0", "0.1", "0.2"])
    for (const { content } of inputs)
      expect(content).toMatch(/^[0-9a-f]{40}\n[^]*… \[\d+ more bytes, left out to save room\]$/)
    const parts = await test.parts("tool")
    expect(parts.slice(0, 3).map(({ state }) => String(state.input["content"]).length)).toEqual([
      24_000, 24_000, 24_000,
    ])
  })

  it("stay as they are once a request has carried them", async () => {
    // The second answer is short, so that nothing has to be made room for.
    const agent = (request: ModelRequest, n: number) =>
      n === 1 ? [called("write", { at: "short" }, "call_short")] : writing()(request, n)
    const model = windowModel({ context: 16_000, agent })
    await using test = await testEngine({ model, tools: [write] })
    await test.ask("Write.")
    const [, second, third] = model.asked
    expect(third?.messages.slice(0, second?.messages.length)).toEqual(second?.messages)
  })

  it("are no news, however often the call is stored", async () => {
    const model = windowModel({ context: 16_000, agent: writing((n) => said(words(12_000, n + 10))) })
    await using test = await testEngine({ model, tools: [write] })
    await test.ask("Write.")
    const again = test.events.flatMap((event) => (event.type === "message.part.updated" ? [event.properties.part] : []))
    const shortened = again.filter((part) => "shownBytes" in part)
    expect(new Set(shortened.map(({ type }) => type))).toEqual(new Set(["text", "tool"]))
    expect(shortened.every((part) => isStoredAgain(part))).toBe(true)
  })
})

function callsOf(request: ModelRequest | undefined): ToolCallContent[] {
  const isCall = (item: { type: string }): item is ToolCallContent => item.type === "tool-call"
  return request?.messages.flatMap(({ content }) => content.filter(isCall)) ?? []
}

it("leaves signed reasoning as it is", async () => {
  const signature = { anthropic: { signature: "signed" } }
  const reasoning = (n: number): ModelEvent[] => [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", text: words(8000, n + 10) },
    { type: "reasoning-end", id: "r", metadata: signature },
  ]
  const model = windowModel({ context: 16_000, agent: writing(reasoning) })
  await using test = await testEngine({ model, tools: [write] })
  await test.ask("Write.")
  const sent = model.asked[1]?.messages.flatMap(({ content }) => content.filter(({ type }) => type === "reasoning"))
  expect(sent).toEqual([{ type: "reasoning", text: words(8000, 10), metadata: signature }])
  expect(callsOf(model.asked[1])).toHaveLength(3)
})

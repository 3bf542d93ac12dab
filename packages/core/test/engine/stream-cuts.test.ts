import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { called, ended } from "../streaming-model.ts"
import { rounds } from "../rounds.ts"
import { requireValid } from "../window-model.ts"
import { ProviderError } from "../../src/base/errors.ts"
import type { Model, ModelEvent, ModelRequest } from "../../src/contracts/model.ts"
import type { MessageWithParts } from "../../src/record/message.ts"

/** Streams that are cut. */
const CUTS = rounds(1000)

/** What is called at each step, and what is said before; the last text is the answer. */
const STEPS = [
  { says: "I look at both of them.", calls: ["read-a", "read-b"] },
  { says: "Now I write.", calls: ["write"] },
  { says: "I have read two files, and written one.", calls: [] },
]
const TEXTS = STEPS.map(({ says }) => says)

type Cut = (events: readonly ModelEvent[]) => AsyncIterable<ModelEvent>

const lost = () => new ProviderError("incomplete-stream", "The connection was reset.")
/** The ways in which an answer breaks off. */
const CUT: readonly Cut[] = [
  async function* thrown(events) {
    yield* events
    throw lost()
  },
  async function* ends(events) {
    yield* events
  },
  async function* told(events) {
    yield* events
    yield { type: "error", error: new ProviderError("transient", "Overloaded.") }
  },
  async function* aborted(events) {
    yield* events
    throw new DOMException("This operation was aborted", "AbortError")
  },
]

/** Random numbers from 0 to 1 that are the same each time. */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** Goes on from what it reads in the request, and calls nothing of which it has read a result. */
function answerTo({ messages }: ModelRequest): ModelEvent[] {
  const done = new Set(messages.flatMap(({ content }) => content.map((item) => ("name" in item ? item.name : ""))))
  const step = STEPS.find(({ calls }) => calls.length === 0 || calls.some((name) => !done.has(name)))
  if (!step) return []
  const left = step.calls.filter((name) => !done.has(name))
  return [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", text: "Hm." },
    { type: "reasoning-end", id: "r" },
    { type: "text-start", id: "t" },
    ...(step.says.match(/.{1,6}/g) ?? []).map((text) => ({ type: "text-delta", id: "t", text }) as const),
    { type: "text-end", id: "t" },
    ...left.flatMap((name) => [
      { type: "tool-input-start", id: name, name } as const,
      { type: "tool-input-delta", id: name, delta: "{}" } as const,
      { type: "tool-input-end", id: name } as const,
      called(name, {}, name),
    ]),
    ended(left.length > 0 ? "tool-calls" : "stop"),
  ]
}

/** `often`: how likely a stream is cut; never more than `most` in a row. */
function brittleModel(random: () => number, often: number, most: number): Model & { readonly cuts: () => number } {
  let cuts = 0
  let inARow = 0
  return {
    cuts: () => cuts,
    ref: { providerID: "brittle", modelID: "model" },
    info: {
      ...{ id: "model", name: "model", limit: { context: 0, output: 0 } },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      capabilities: { reasoning: true, attachment: false, toolCall: true },
    },
    async *stream(request) {
      requireValid(request)
      const events = answerTo(request)
      const isCut = inARow < most && random() < often
      inARow = isCut ? inARow + 1 : 0
      if (!isCut) return yield* events
      cuts++
      const at = Math.floor(random() * events.length)
      yield* CUT[Math.floor(random() * CUT.length)]?.(events.slice(0, at)) ?? []
    },
  }
}

function textsOf({ parts }: MessageWithParts): string[] {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
}

it(`neither runs a tool twice nor takes half a text for a whole one, whatever of ${CUTS} cuts comes where`, async () => {
  const random = numbers(7)
  const model = brittleModel(random, 0.6, 4)
  const runs = new Map<string, number>()
  const tools = STEPS.flatMap(({ calls }) => calls).map((name) =>
    testTool(name, async (_input, { sessionID }) => {
      runs.set(`${sessionID} ${name}`, (runs.get(`${sessionID} ${name}`) ?? 0) + 1)
      if (random() < 0.2) await sleep(1)
      return `${name} is done`
    }),
  )
  await using test = await testEngine({ model, tools, retry: { delay: 0 } })
  let sessions = 0
  for (; model.cuts() < CUTS; sessions++) {
    const { id: sessionID } = await test.engine.createSession({ directory: test.session.directory })
    const result = await test.engine.prompt({ sessionID, parts: [{ type: "text", text: "Go" }] })

    if (result.type !== "answered") return expect.fail(`session ${sessions}: ${JSON.stringify(result)}`)
    expect(textsOf(result.answer)).toEqual([TEXTS.at(-1)])
    for (const message of (await test.storage.readContext(sessionID)).messages) {
      const { info } = message
      if (info.role === "user" || info.finish === "unknown") continue
      expect(info.error).toBeUndefined()
      for (const text of textsOf(message)) expect(TEXTS).toContain(text)
    }
  }
  expect(runs.size).toBe(sessions * tools.length)
  expect([...runs].filter(([, count]) => count !== 1)).toEqual([])
})

it("says so when all attempts broke off, and passes none of them off as an answer", async () => {
  const random = numbers(11)
  for (let round = 0; round < 20; round++) {
    const model = brittleModel(random, 1, Infinity)
    const tools = STEPS.flatMap(({ calls }) => calls).map((name) => testTool(name, async () => "done"))
    await using test = await testEngine({ model, tools, retry: { delay: 0 } })

    expect(await test.ask("Go")).toMatchObject({ type: "failed" })

    const answers = (await test.messages()).flatMap(({ info }) => (info.role === "assistant" ? [info] : []))
    expect(answers.map(({ finish }) => finish)).not.toContain("stop")
    expect(answers.at(-1)).toMatchObject({ finish: "error", error: { data: { isRetryable: true } } })
    expect(model.cuts()).toBe(5)
  }
})

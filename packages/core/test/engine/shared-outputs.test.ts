import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { called } from "../streaming-model.ts"
import { said, summary, tokensOf, windowModel } from "../window-model.ts"
import type { ModelRequest, ToolResultContent } from "../../src/provider.ts"
import { isStoredAgain, type ToolPart } from "../../src/record.ts"
import type { Storage } from "../../src/storage.ts"

/** Characters that each call returns, in turn. */
const sizes = { small: [300], large: [60_000], huge: [400_000], mixed: [80, 3000, 45_000, 400_000] }
const lines = ["some words on a line\n", `${"a very long line ".repeat(400)}\n`]

interface Scenario {
  readonly context: number
  /** Calls of one answer. */
  readonly reads: number
  readonly size: readonly number[]
  readonly bytesPerToken: number
  readonly line: string
  /** Answers that read. */
  readonly rounds: number
  /** Part of the window that the tool definitions take. */
  readonly overhead: number
}

const counts = [1, 2, 6, 10, 16, 40]

function scenarios(context: number): Scenario[] {
  const rows = counts.flatMap((reads) => Object.values(sizes).map((size) => ({ context, reads, size })))
  return rows.map((row, at) => ({
    ...row,
    bytesPerToken: [2.5, 4, 5][at % 3] as number,
    line: lines[at % 2] as string,
    rounds: at % 4 < 2 ? 1 : 3,
    overhead: context > 8000 && at % 5 < 2 ? 0.3 : 0,
  }))
}

function resultsOf({ messages }: ModelRequest): string[] {
  const isResult = (item: { type: string }): item is ToolResultContent => item.type === "tool-result"
  return messages.flatMap(({ content }) => content.filter(isResult).map(({ output }) => output))
}

/** Reads in `rounds` answers; what of their results was in no request of the agent, and what that took. */
async function read({ context, reads, size, bytesPerToken, line, rounds, overhead }: Scenario) {
  let made = 0
  let round = 0
  const order: string[] = []
  const unseen: string[] = []
  const tool = testTool(
    "read",
    async ({ at }) => {
      const length = size[made++ % size.length] as number
      return `[${String(at)}] ${line.repeat(Math.ceil(length / line.length))}`.slice(0, length)
    },
    { effect: "pure", description: "d".repeat(Math.floor(context * overhead * bytesPerToken)) },
  )
  const places = () => Array.from({ length: reads }, (_, at) => `${round}.${at}`)
  const model = windowModel({
    ...{ context, bytesPerToken, output: Math.min(8000, context / 8) },
    agent(request) {
      order.push("a")
      const outputs = resultsOf(request)
      if (round > 0) {
        unseen.push(
          ...places().filter((at) => !outputs.some((each) => each.startsWith(`[${at}] `) && each.length >= 80)),
        )
      }
      if (++round > rounds) return said("Done.")
      return places().map((at) => called("read", { at }, `call_${at}`))
    },
    summarizer: () => (order.push("s"), summary()),
  })
  await using test = await testEngine({ model, tools: [tool] })
  const { type } = await test.ask("Read all of it.")
  const longest = Math.max(...model.asked.map((request) => tokensOf(request, bytesPerToken)))
  const inARow = Math.max(
    ...order
      .join("")
      .split("a")
      .map((each) => each.length),
  )
  return { type, unseen, fits: longest <= context, isEndless: inARow > 3 }
}

describe("the model reads a part of each result of an answer", () => {
  it.each([8000, 16_000, 32_000, 64_000, 128_000, 200_000])("in a window of %i", async (context) => {
    for (const scenario of scenarios(context)) {
      const { line: _line, ...shown } = scenario
      const seen = await read(scenario)
      expect({ ...shown, ...seen }).toEqual({ ...shown, type: "answered", unseen: [], fits: true, isEndless: false })
    }
  })
})

/** Answers once with calls, and then says that it is done. */
function once(...names: readonly string[]) {
  return (_request: ModelRequest, n: number) => {
    return n > 0 ? said("Done.") : names.map((name, at) => called(name, { at }, `call_${at}`))
  }
}

const long = testTool("long", async () => "words words\n".repeat(10_000), { effect: "pure" })
const short = testTool("short", async () => "All of it.", { effect: "pure" })

describe("results that are too long together", () => {
  const names = ["long", "short", "long", "long", "long", "long"]

  it("leave short ones whole, cut long ones to the same size, and say what was cut and where it is", async () => {
    const kept: string[] = []
    const model = windowModel({ context: 32_000, agent: once(...names) })
    await using test = await testEngine({
      ...{ model, tools: [long, short] },
      keepOutput: async (callID, output) => (kept.push(output), `Full output: /outputs/${callID}.`),
    })
    await test.ask("Go")

    const outputs = resultsOf(model.asked[1] as ModelRequest)
    expect(outputs[1]).toBe("All of it.")
    const cut = outputs.filter((_output, at) => at !== 1)
    expect(new Set(cut.map(({ length }) => length)).size).toBe(1)
    expect(cut[0]).toMatch(/^words words\n[^]*\n\n\.\.\. \d+ lines truncated\. Full output: \/outputs\/call_0\.$/)
    // The whole was kept when the call ended, and is not kept again.
    expect(kept).toHaveLength(5)
    expect(kept.every((output) => output.length === 120_000)).toBe(true)
    const lost = Number(/(\d+) lines truncated/.exec(cut[0] ?? "")?.[1])
    expect(lost + (cut[0]?.match(/^words words$/gm)?.length ?? 0)).toBe(10_000)
    const parts = await test.parts("tool")
    const blob = parts[0]?.state.status === "completed" ? parts[0].state.metadata["blob"] : undefined
    expect(Buffer.from((await test.storage.blobs.get(String(blob))) ?? []).length).toBe(120_000)
  })

  it("take the share of the window that is set", async () => {
    const taken = async (answerShare: number) => {
      const model = windowModel({ context: 64_000, agent: once(...names) })
      await using test = await testEngine({ model, tools: [long, short], outputLimits: { answerShare } })
      await test.ask("Go")
      return resultsOf(model.asked[1] as ModelRequest).join("").length / 4 / 63_000
    }
    expect(await taken(0.25)).toBeCloseTo(0.25, 1)
    expect(await taken(0.1)).toBeCloseTo(0.1, 1)
  })

  it("are news once, however often they are stored", async () => {
    const todo = testTool("todowrite", async () => "x".repeat(90_000), { effect: "unsafe" })
    const model = windowModel({
      context: 32_000,
      agent: (_request, n) => {
        const todos = [{ id: "1", content: "Read", status: "pending" }]
        return n > 0
          ? said("Done.")
          : Array.from({ length: 6 }, (_, at) => called("todowrite", { todos, at }, `call_${at}`))
      },
    })
    await using test = await testEngine({ model, tools: [todo] })
    await test.ask("Go")
    expect(resultsOf(model.asked[1] as ModelRequest).every((output) => output.includes("truncated"))).toBe(true)
    expect(test.events.filter(({ type }) => type === "todo.updated")).toHaveLength(6)
  })

  it("stay as they are once a request has carried them", async () => {
    const rounds = 4
    const agent = (_request: ModelRequest, n: number) =>
      n === rounds
        ? said("Done.")
        : Array.from({ length: 8 }, (_, at) => called("long", { at: `${n}.${at}` }, `call_${n}_${at}`))
    const model = windowModel({ context: 200_000, agent })
    await using test = await testEngine({ model, tools: [long], compaction: { auto: false } })
    await test.ask("Go")
    const before = model.asked.slice(0, -1).map(({ messages }) => messages)
    expect(before).toHaveLength(rounds)
    expect(before).toEqual(before.map(({ length }, at) => model.asked[at + 1]?.messages.slice(0, length)))
  })

  it("are cut by the next run if the process dies before", async () => {
    const storage = memoryStorage()
    // Each commit of a result is one at which the process may end.
    const dying: Storage = { ...storage }
    let settled = 0
    const model = windowModel({ context: 32_000, agent: once(...names) })
    const died = new Error("The process ended.")
    const isSettled = (part: { type: string }) =>
      part.type === "tool" && (part as ToolPart).state.status === "completed"
    dying.commit = async (id, writes, lease) => {
      if (writes.some((write) => write.type === "part.put" && isStoredAgain(write.part))) throw died
      settled += writes.filter((write) => write.type === "part.put" && isSettled(write.part)).length
      return storage.commit(id, writes, lease)
    }
    await using first = await testEngine({ model, tools: [long, short], storage: dying })
    await expect(first.ask("Go")).rejects.toThrow("The process ended.")
    expect(settled).toBeGreaterThanOrEqual(names.length - 1)

    await using second = await testEngine({ model, tools: [long, short], storage, session: first.session })
    expect(await second.engine.resume(first.session.id)).toMatchObject({ type: "answered" })
    const outputs = resultsOf(model.asked[1] as ModelRequest)
    expect(outputs).toHaveLength(6)
    expect(outputs.join("").length).toBeLessThan(0.55 * 31_000 * 4)
  })
})

it("keeps results that no request has carried through a compaction, also where no turn is to stay", async () => {
  const filled = Array.from({ length: 26 }, (_, at) => `long ${at}`)
  const agent = (_request: ModelRequest, n: number) => {
    if (n < filled.length) return [called("short", { at: n }, `call_${n}`)]
    if (n === filled.length) return ["a", "b", "c"].map((at) => called("long", { at }, `call_${at}`))
    return said("Done.")
  }
  const filling = testTool("short", async () => "x".repeat(3500), { effect: "pure" })
  const model = windowModel({ context: 32_000, agent })
  await using test = await testEngine({ model, tools: [long, filling], compaction: { soft: 1, tail_turns: 0 } })
  expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  expect(test.events.some(({ type }) => type === "session.compacted")).toBe(true)
  const last = resultsOf(model.asked.at(-1) as ModelRequest)
  expect(last.filter((output) => output.startsWith("words words"))).toHaveLength(3)
})

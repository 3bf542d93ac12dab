import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type TestEngine, testEngine, type TestEngineOptions, testTool } from "../engine-fixture.ts"
import {
  around,
  calls,
  isSummarizer,
  look,
  looking,
  plugin,
  said,
  summary,
  textOf,
  told,
  tokensOf,
  windowModel,
} from "../window-model.ts"
import type { PluginHooks } from "../../src/hooks/plugin.ts"
import type { PluginEntry } from "../../src/plugin.ts"
import type { HookInput, HookOutput } from "../../src/contracts/hooks.ts"
import type { ModelRequest } from "../../src/contracts/model.ts"
import type { MessageWithParts } from "../../src/record/message.ts"

type Compacting = HookOutput<"session.compacting">
type Compacted = HookInput<"session.compacted">

/** Nothing is prepared in the background. */
const FULL = { soft: 1 }

/** Edits what a compaction is to be. */
function editing(edit: (output: Compacting, input: HookInput<"session.compacting">) => void): PluginEntry {
  return plugin("editor", { "session.compacting": (input, output) => edit(output, input) })
}

type Given = Omit<TestEngineOptions, "model"> & { readonly summarizer?: (request: ModelRequest, n: number) => string }

/** A conversation of a few steps that was compacted because somebody asked for it, and went on with a prompt. */
async function compacted({ summarizer, ...options }: Given, check: (seen: Seen) => Promise<void> | void) {
  const model = windowModel({ context: 100_000, agent: looking(6), ...(summarizer ? { summarizer } : {}) })
  await using test = await testEngine({ model, tools: [look], ...options })
  await test.ask("Look everywhere.")
  const before = await test.messages()
  const last = model.asked.at(-1) as ModelRequest
  const result = await test.engine.compact(test.session.id)
  const after = await test.messages()
  await test.ask("And now?")
  await check({
    test,
    before,
    after,
    last,
    result,
    summaries: model.summaries,
    next: model.asked.at(7) as ModelRequest,
  })
}

interface Seen {
  readonly test: TestEngine
  readonly before: readonly MessageWithParts[]
  readonly after: readonly MessageWithParts[]
  readonly result: Awaited<ReturnType<TestEngine["ask"]>>
  /** Of the agent: the last before the compaction, the first after it. */
  readonly last: ModelRequest
  readonly next: ModelRequest
  readonly summaries: readonly ModelRequest[]
}

function askedFor(request: ModelRequest | undefined): string {
  const [item] = request?.messages.at(-1)?.content ?? []
  return item?.type === "text" ? item.text : ""
}

function summaryIn(messages: readonly MessageWithParts[]): string | undefined {
  const message = messages.find(({ info }) => info.role === "assistant" && info.summary)
  const part = message?.parts.find(({ type }) => type === "text")
  return part?.type === "text" ? part.text : undefined
}

describe("session.compacting", () => {
  it("is told why, what is to be replaced, what it may take and how full it is", async () => {
    const inputs: HookInput<"session.compacting">[] = []
    const spy = editing((_output, input) => void inputs.push(input))
    await compacted({ plugins: [spy] }, ({ before, test }) => {
      expect(inputs).toMatchObject([{ reason: "asked", agent: "build", sessionID: test.session.id }])
      const [{ messageIDs, budget, usage, ledger } = expect.fail()] = inputs
      expect(messageIDs).toEqual(before.slice(0, messageIDs.length).map(({ info }) => info.id))
      expect(messageIDs.length).toBeGreaterThan(3)
      expect(budget).toBeGreaterThan(0)
      expect(usage.tokens).toBeLessThan(usage.usable)
      expect(ledger).toHaveProperty("commands")
    })
  })

  it("adds context to what the summarizer is asked for", async () => {
    const plugins = [editing((output) => void output.context.push("Name the open tickets."))]
    await compacted({ plugins }, ({ summaries }) => {
      expect(askedFor(summaries[0])).toContain("## Objective")
      expect(askedFor(summaries[0])).toContain("Name the open tickets.")
    })
  })

  it("takes a prompt in place of the engine's own, whose sections are then not insisted on", async () => {
    const plugins = [editing((output) => void (output.prompt = "Say it in a word. Answer with the summary alone."))]
    await compacted({ plugins, summarizer: () => "Onwards." }, ({ summaries, after, next }) => {
      expect(askedFor(summaries[0])).toMatch(/^Say it in a word\./)
      expect(askedFor(summaries[0])).not.toContain("## Objective")
      expect(summaryIn(after)).toBe("Onwards.")
      expect(textOf(next)).toContain("Onwards.")
    })
  })

  it("takes a summary in place of a model's, without a model call", async () => {
    const plugins = [editing((output) => void (output.summary = "  We looked at six places.\n"))]
    await compacted({ plugins }, ({ summaries, after, next, test }) => {
      expect(summaries).toEqual([])
      expect(summaryIn(after)).toBe("We looked at six places.")
      expect(textOf(next)).toContain("We looked at six places.")
      expect(told(test.events)).toMatchObject([{ strategy: "summary", cost: 0 }])
    })
  })

  it.each([
    ["is longer than its budget", (budget: number) => "word ".repeat(budget * 2)],
    ["says nothing", () => " \n"],
  ])("has a model write the summary where its own %s", async (_why, write) => {
    const plugins = [editing((output, { budget }) => void (output.summary = write(budget)))]
    await compacted({ plugins }, ({ summaries, after }) => {
      expect(summaries.length).toBe(1)
      expect(summaryIn(after)).toBe(summary())
    })
  })

  describe("keeps word for word", () => {
    it("a message with its calls and their results", async () => {
      const kept: string[] = []
      const plugins = [
        editing((output, { messageIDs }) => {
          kept.push(messageIDs[2] as string)
          output.keep = kept
        }),
      ]
      await compacted({ plugins }, ({ next, before, after }) => {
        const message = before.find(({ info }) => info.id === kept[0])
        expect(after.find(({ info }) => info.id === kept[0])).toEqual(message)
        expect(resultsIn(next)).toContainEqual(`place 1: ${"x".repeat(3000)}`)
        expect(resultsIn(next)).not.toContainEqual(`place 0: ${"x".repeat(3000)}`)
      })
    })

    it("whatever messages and parts it names, in a request that providers take", async () => {
      const choice = fc.array(fc.tuple(fc.nat(20), fc.option(fc.nat(4), { nil: undefined })), { maxLength: 5 })
      await fc.assert(
        fc.asyncProperty(choice, async (chosen) => {
          let known: readonly MessageWithParts[] = []
          const hooks: PluginHooks = {
            "chat.messages.transform": (_input, { messages }) => void (known = messages),
            "session.compacting": ({ messageIDs }, output) => {
              const head = known.filter(({ info }) => messageIDs.includes(info.id))
              output.keep = chosen.flatMap(([at, part]) => {
                const message = head[at % head.length]
                const id = part === undefined ? message?.info.id : message?.parts[part % message.parts.length]?.id
                return id === undefined ? [] : [id]
              })
              wanted = head.flatMap(({ info, parts }) => {
                const isWhole = output.keep?.includes(info.id)
                return parts.filter(({ id }) => isWhole === true || output.keep?.includes(id))
              })
            },
          }
          let wanted: MessageWithParts["parts"] = []
          // The model refuses calls without results, and results without calls.
          await compacted({ plugins: [plugin("keeper", hooks)] }, ({ next, test }) => {
            expect(test.events.filter(({ type }) => type === "session.error")).toEqual([])
            const texts = wanted.flatMap((part) => (part.type === "text" ? [part.text] : []))
            for (const text of texts) expect(textsIn(next)).toContain(text)
            const results = wanted.flatMap((part) => {
              return part.type === "tool" && part.state.status === "completed" ? [part.state.output] : []
            })
            expect(
              resultsIn(next)
                .filter((result) => results.includes(result))
                .toSorted(),
            ).toEqual([...new Set(results)].toSorted())
          })
        }),
        { numRuns: 25 },
      )
    })

    it("what it names of a summary in the background, once that is put into effect", async () => {
      const hooks: PluginHooks = {
        "session.compacting"({ messageIDs, reason }, output) {
          if (reason === "soft") output.keep = messageIDs.slice(2, 3)
        },
      }
      const model = windowModel({ context: 20_000, agent: looking(28) })
      await using test = await testEngine({ model, tools: [look], plugins: [plugin("keeper", hooks)] })
      expect(await test.ask("Look everywhere.")).toMatchObject({ type: "answered" })
      const next = model.asked.find((request) => textOf(request).includes("What did we do so far?")) as ModelRequest
      expect(resultsIn(next)).toContainEqual(`place 1: ${"x".repeat(3000)}`)
      expect(resultsIn(next)).not.toContainEqual(`place 0: ${"x".repeat(3000)}`)
    })

    it("nothing that it does not know", async () => {
      const plugins = [editing((output) => void (output.keep = ["msg_none", "prt_none", "x"]))]
      await compacted({ plugins }, ({ result, next }) => {
        expect(result).toMatchObject({ type: "compacted", outcome: { type: "applied" } })
        expect(resultsIn(next).length).toBeLessThan(6)
      })
    })

    it("the same message again and again, which stands there once", async () => {
      const plugins = [
        editing((output, { messageIDs }) => {
          first ??= messageIDs[0]
          output.keep = [first as string]
        }),
      ]
      let first: string | undefined
      const model = windowModel({ context: 20_000, agent: looking(120) })
      await using test = await testEngine({ model, tools: [look], plugins, compaction: FULL })
      expect(await test.ask("KEEP this request.")).toMatchObject({ type: "answered" })
      expect(told(test.events).length).toBeGreaterThan(1)
      // Once where it was said, and once in what the engine tells of the work.
      const times = model.asked.map((request) => textOf(request).split("KEEP").length - 1)
      expect(Math.max(...times)).toBeLessThanOrEqual(2)
    })

    it("what it names, and no more of what lies between that and the tail of a later compaction", async () => {
      let isFirst = true
      const plugins = [
        editing((output, { messageIDs }) => {
          if (isFirst) output.keep = messageIDs.slice(1, 3)
          isFirst = false
        }),
      ]
      const model = windowModel({ context: 20_000, agent: looking(70) })
      const compaction = { ...FULL, preserve_recent_tokens: 100_000 }
      await using test = await testEngine({ model, tools: [look], plugins, compaction })
      expect(await test.ask("Look everywhere.")).toMatchObject({ type: "answered" })
      expect(told(test.events).length).toBeGreaterThan(1)
      const gone = new Set<string>()
      let before: string[] = []
      for (const request of model.asked) {
        const now = resultsIn(request)
        expect(now.filter((result) => gone.has(result))).toEqual([])
        for (const result of before) if (!now.includes(result)) gone.add(result)
        before = now
      }
      expect(gone.size).toBeGreaterThan(20)
    })

    it("only what leaves room: else the ladder goes on without it", async () => {
      const plugins = [
        editing((output, { messageIDs }) => {
          output.keep = messageIDs.slice(2)
        }),
      ]
      const model = windowModel({ context: 20_000, agent: looking(30) })
      await using test = await testEngine({ model, tools: [look], plugins, compaction: { soft: 1 } })
      expect(await test.ask("Look everywhere.")).toMatchObject({ type: "answered" })
      const first = told(test.events)[0]
      expect(first?.strategy).toBe("summary")
      expect(first?.after).toBeLessThan((first?.before ?? 0) * 0.8)
    })
  })

  describe("skip", () => {
    const skipping = (reasons: string[]) => {
      return editing((output, { reason }) => {
        reasons.push(reason)
        output.skip = true
      })
    }

    it("is heeded three times in a row where the next request fits, and then no more", async () => {
      const reasons: string[] = []
      const model = windowModel({ context: 40_000, agent: looking(30) })
      const compaction = { soft: 1, reserved: 20_000, prune: false }
      await using test = await testEngine({ model, tools: [look], plugins: [skipping(reasons)], compaction })
      expect(await test.ask("Look everywhere.")).toMatchObject({ type: "answered" })
      expect(model.asked.filter((request) => tokensOf(request, 4) >= 20_000).length).toBe(3)
      expect(reasons).toEqual(["full", "full", "full", "full"])
      expect(told(test.events).length).toBe(1)
      // What skipped leaves no marker behind.
      expect((await test.parts("compaction")).length).toBe(1)
    })

    it("is not heeded where the next request does not fit the window", async () => {
      const reasons: string[] = []
      const model = windowModel({ context: 20_000, agent: looking(12) })
      // An output is larger than what is kept free.
      const long = testTool("look", async (input) => `${String(input["at"])}: ${"x".repeat(12_000)}`)
      const compaction = { soft: 1, reserved: 1500, prune: false }
      await using test = await testEngine({ model, tools: [long], plugins: [skipping(reasons)], compaction })
      expect(await test.ask("Look everywhere.")).toMatchObject({ type: "answered" })
      expect(reasons).toContain("full")
      expect(told(test.events).length).toBeGreaterThan(0)
      expect(await test.parts("retry")).toEqual([])
      expect(Math.max(...model.asked.map((request) => tokensOf(request, 4)))).toBeLessThanOrEqual(20_000)
    })

    it("leaves a conversation as it was that somebody asked to compact", async () => {
      await compacted({ plugins: [skipping([])] }, ({ result, before, after, summaries, last, next }) => {
        expect(result).toMatchObject({ type: "compacted", outcome: { type: "skipped" } })
        expect(after).toEqual(before)
        expect(summaries).toEqual([])
        expect(next.messages.slice(0, last.messages.length)).toEqual(last.messages)
      })
    })
  })

  describe("changes nothing", () => {
    const edits = (output: Compacting) => {
      output.context.push("Edited.")
      Object.assign(output, { prompt: "Edited.", summary: "Edited.", keep: ["x"], skip: true })
    }

    it.each<[string, PluginHooks["session.compacting"]]>([
      [
        "throws",
        (_input, output) => {
          edits(output)
          throw new Error("Oops.")
        },
      ],
      [
        "is late",
        (_input, output) => {
          edits(output)
          return new Promise(() => {})
        },
      ],
      ["leaves nonsense", (_input, output) => void Object.assign(output, { context: "no list", skip: true })],
    ])("where its handler %s, and the event names it", async (_how, handler) => {
      let plain: unknown
      await compacted({}, ({ summaries, after }) => {
        plain = { requests: summaries.map(({ messages }) => messages), summary: summaryIn(after) }
      })
      const plugins = [plugin("broken", handler ? { "session.compacting": handler } : {})]
      await compacted({ plugins, deadlines: { transformHook: 50 } }, ({ summaries, after, test }) => {
        expect({ requests: summaries.map(({ messages }) => messages), summary: summaryIn(after) }).toEqual(plain)
        expect(test.events.flatMap((event) => (event.type === "plugin.error" ? [event.properties] : []))).toMatchObject(
          [{ plugin: "broken", hook: "session.compacting" }],
        )
      })
    })
  })

  it("shows each plugin what those before it have made of it", async () => {
    const first = plugin("first", {
      "session.compacting"(_input, output) {
        output.context.push("From the first.")
        output.prompt = "Answer with the summary alone."
      },
    })
    const seen: Compacting[] = []
    const second = plugin("second", {
      "session.compacting"(_input, output) {
        seen.push(structuredClone(output))
        output.context.push("From the second.")
        output.prompt += " Briefly."
      },
    })
    const plugins = [second, { ...first, priority: 1 }]
    await compacted({ plugins, summarizer: () => "Brief." }, ({ summaries }) => {
      expect(seen).toMatchObject([{ context: ["From the first."], prompt: "Answer with the summary alone." }])
      expect(askedFor(summaries[0])).toMatch(/alone\. Briefly\.\n\nFrom the first\.\n\nFrom the second\./)
    })
  })
})

it("gives a summarizer the messages as chat.messages.transform has made them", async () => {
  const redact = plugin("redact", {
    "chat.messages.transform"(_input, output) {
      output.messages = JSON.parse(JSON.stringify(output.messages).replaceAll("SECRET", "redacted"))
    },
  })
  const model = windowModel({ context: 100_000, agent: looking(5) })
  await using test = await testEngine({ model, tools: [look], plugins: [redact] })
  await test.ask("The SECRET word")
  await test.engine.compact(test.session.id)
  expect(model.summaries).toHaveLength(1)
  for (const request of [...model.asked, ...model.summaries]) {
    expect(textOf(request)).not.toContain("SECRET")
    expect(textOf(request)).toContain("redacted")
  }
})

describe("session.compacted", () => {
  it("tells plugins and listeners the same: tokens before and after, cost, strategy and what was dropped", async () => {
    const observed: Compacted[] = []
    const replaced: string[] = []
    const hooks: PluginHooks = {
      "session.compacting": ({ messageIDs }) => void replaced.push(...messageIDs),
      "session.compacted": (input) => void observed.push(input),
    }
    await compacted({ plugins: [plugin("observer", hooks)] }, ({ test, summaries, last, next }) => {
      expect(observed).toEqual(told(test.events))
      const [{ before, after, cost, dropped, strategy, auto, sessionID, reason } = expect.fail()] = observed
      expect({ strategy, auto, sessionID, reason }).toEqual({
        ...{ strategy: "summary", auto: false, sessionID: test.session.id, reason: undefined },
      })
      expect(dropped).toEqual(replaced)
      expect(before / tokensOf(last, 4)).toBeGreaterThan(0.9)
      expect(before / tokensOf(last, 4)).toBeLessThan(1.2)
      expect(after / tokensOf(next, 4)).toBeGreaterThan(0.8)
      expect(after / tokensOf(next, 4)).toBeLessThan(1.2)
      // A dollar for a million tokens, whichever they are.
      const tokens = summaries.reduce((sum, request) => sum + tokensOf(request, 4) + 10, 0)
      expect(cost).toBeCloseTo(tokens / 1_000_000, 9)
    })
  })

  it("says why no model's summary was used, and what the calls cost that came to nothing", async () => {
    await compacted({ summarizer: () => "garbage" }, ({ test }) => {
      expect(told(test.events)).toMatchObject([{ strategy: "extract", reason: expect.stringContaining("sections") }])
      expect(told(test.events)[0]?.cost).toBeGreaterThan(0)
    })
  })

  it("leaves out what was kept from what was dropped", async () => {
    let kept = ""
    const plugins = [
      editing((output, { messageIDs }) => {
        kept = messageIDs[1] as string
        output.keep = [kept]
      }),
    ]
    await compacted({ plugins }, ({ test }) => {
      const [{ dropped } = expect.fail()] = told(test.events)
      expect(dropped.length).toBeGreaterThan(2)
      expect(dropped).not.toContain(kept)
    })
  })

  it("comes for cleared outputs as well", async () => {
    const observed: Compacted[] = []
    const plugins = [plugin("observer", { "session.compacted": (input) => void observed.push(input) })]
    const model = windowModel({ context: 20_000, agent: looking(2) })
    await using test = await testEngine({ model, tools: [look], plugins, compaction: { soft: 1 } })
    for (let turn = 0; turn < 14; turn++) await test.ask(`Turn ${turn}.`)
    const cleared = observed.find(({ strategy }) => strategy === "prune")
    expect(cleared).toMatchObject({ auto: true, cost: 0 })
    expect(cleared?.after).toBeLessThan(cleared?.before ?? 0)
    expect(cleared?.dropped.length).toBeGreaterThan(0)
  })
})

describe("compaction.autocontinue", () => {
  const deciding = (enabled: boolean, inputs: HookInput<"compaction.autocontinue">[] = []) => {
    return plugin("decider", {
      "compaction.autocontinue"(input, output) {
        inputs.push(input)
        output.enabled = enabled
      },
    })
  }

  it("is told of the turn, and lets it go on by default", async () => {
    const inputs: HookInput<"compaction.autocontinue">[] = []
    const model = windowModel({ context: 20_000, agent: looking(30) })
    await using test = await testEngine({
      ...{ model, tools: [look], compaction: { soft: 1 } },
      plugins: [plugin("observer", { "compaction.autocontinue": (input) => void inputs.push(input) })],
    })
    expect(await test.ask("Look everywhere.")).toMatchObject({ type: "answered" })
    const { id } = test.session
    const about = { sessionID: id, rootSessionID: id, agent: "build", model: model.ref }
    expect(inputs[0]).toEqual({ ...about, overflow: false })
    expect((await continuations(test)).length).toBeGreaterThan(0)
  })

  it("ends the run where it is switched off, and the next prompt goes on behind the summary", async () => {
    const model = windowModel({ context: 20_000, agent: looking(30) })
    await using test = await testEngine({ model, tools: [look], plugins: [deciding(false)], compaction: { soft: 1 } })
    const result = await test.ask("Look everywhere.")
    expect(result).toMatchObject({ type: "compacted", outcome: { type: "applied", goesOn: false } })
    expect(await continuations(test)).toEqual([])
    expect(test.events.at(-1)?.type).toBe("session.idle")
    const asked = model.asked.length
    await test.ask("Go on, then.")
    expect(model.asked.length).toBeGreaterThan(asked)
    expect(textOf(model.asked[asked] as ModelRequest)).toContain("What did we do so far?")
    expect(textOf(model.asked[asked] as ModelRequest)).toContain("Go on, then.")
  })

  it("is not asked where nothing was under way", async () => {
    const inputs: HookInput<"compaction.autocontinue">[] = []
    await compacted({ plugins: [deciding(false, inputs)] }, ({ result }) => {
      expect(result).toMatchObject({ outcome: { type: "applied", goesOn: true } })
      expect(inputs).toEqual([])
    })
  })
})

async function continuations(test: TestEngine) {
  const texts = await test.parts("text")
  return texts.filter(({ metadata }) => metadata?.["compaction_continue"] === true)
}

function textsIn({ messages }: ModelRequest): string[] {
  return messages.flatMap(({ content }) => content.flatMap((item) => (item.type === "text" ? [item.text] : [])))
}

function resultsIn({ messages }: ModelRequest): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((item) => (item.type === "tool-result" ? [item.output] : [])),
  )
}

describe("at the edges", () => {
  it("a hook that keeps everything does not end the turn", async () => {
    const plugins = [editing((output, { messageIDs }) => void (output.keep = [...messageIDs]))]
    const model = windowModel({ context: 20_000, agent: looking(30) })
    await using test = await testEngine({ model, tools: [look], plugins, compaction: FULL })
    expect(await test.ask("Look everywhere.")).toMatchObject({ type: "answered" })
  })

  it("what was to be kept and does not fit is summarized or extracted, and told as dropped", async () => {
    const plugins = [editing((output, { messageIDs }) => void (output.keep = messageIDs.slice(2)))]
    const model = windowModel({
      context: 20_000,
      agent: (_request, n) =>
        n === 30 ? said("Done.") : [...said(`Fact ${n} found.`), ...calls("look", { at: `${n}` }, `call_${n}`)],
    })
    await using test = await testEngine({ model, tools: [look], plugins, compaction: FULL })
    await test.ask("Look everywhere.")
    const next = model.asked.find((request) => textOf(request).includes("What did we do so far?")) as ModelRequest
    expect(told(test.events)[0]?.dropped.length).toBeGreaterThan(10)
    expect(textOf(next)).toContain("Fact 20 found.") // in neither the extract nor the tail
  })

  it("no skip where the provider has refused the request", async () => {
    const plugins = [editing((output) => void (output.skip = true))]
    const small = windowModel({ context: 20_000, agent: looking(30) })
    const model = { ...small, info: { ...small.info, limit: { context: 100_000, output: 1000 } } }
    await using test = await testEngine({ model, tools: [look], plugins, compaction: FULL })
    await test.ask("Look everywhere.")
    expect(small.asked.filter((request) => tokensOf(request, 4) + 1000 > 20_000).length).toBe(1)
  })

  it("autocontinue switched off ends the run as compacted with a prepared summary, too", async () => {
    const hooks: PluginHooks = { "compaction.autocontinue": (_input, output) => void (output.enabled = false) }
    const model = windowModel({ context: 20_000, agent: looking(30) })
    await using test = await testEngine({ model, tools: [look], plugins: [plugin("p", hooks)] })
    expect(await test.ask("Look everywhere.")).toMatchObject({ type: "compacted" })
  })

  it("a prepared summary tells what it dropped", async () => {
    const model = windowModel({ context: 20_000, agent: looking(30) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    expect(told(test.events)[0]?.dropped.length).toBeGreaterThan(0)
  })

  it("there is never more than one summary under way", async () => {
    let [now, most] = [0, 0]
    const inner = windowModel({ context: 20_000, agent: looking(30) })
    const model = around(inner, async function* (request, signal, stream) {
      if (!isSummarizer(request)) return yield* stream(request, signal)
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 60))
      try {
        yield* stream(request, signal)
      } finally {
        now--
      }
    })
    let asked: Promise<unknown> | undefined
    const tool = testTool("look", async (input) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (now > 0) asked ??= test.engine.compact(test.session.id)
      return `${String(input["at"])}: ${"x".repeat(3000)}`
    })
    await using test = await testEngine({ model, tools: [tool] })
    await test.ask("Look everywhere.")
    await asked
    expect(most).toBe(1)
  })

  it("a compaction asked for in the middle of a turn does not abandon the turn", async () => {
    const model = windowModel({ context: 100_000, agent: looking(10) })
    let asked: Promise<unknown> | undefined
    const tool = testTool("look", async (input) => {
      if (input["at"] === "place 5") asked = test.engine.compact(test.session.id)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return `${String(input["at"])}: ${"x".repeat(3000)}`
    })
    await using test = await testEngine({ model, tools: [tool] })
    expect((await test.ask("Look everywhere.")).type).toBe("answered")
    expect((await asked) as object).toMatchObject({ type: "answered" })
    expect(test.events.some(({ type }) => type === "session.compacted")).toBe(true)
  })
})

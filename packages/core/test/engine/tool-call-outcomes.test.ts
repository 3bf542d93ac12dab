import { describe, expect, it, onTestFinished, vi } from "vitest"
import { until } from "../asking.ts"
import { callWorld, type CallWorld } from "../call-world.ts"
import { testTool } from "../engine-fixture.ts"
import { ToolInputError } from "../../src/base/errors.ts"
import type { PluginEntry } from "../../src/plugin.ts"
import type { HookInput } from "../../src/contracts/hooks.ts"
import type { JSONValue } from "../../src/base/json.ts"
import type { PermissionRule, Part, ToolPart } from "../../src/record/message.ts"

const never = () => new Promise<never>(() => {})
/** Works until it is told to stop. */
const working = (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
  return new Promise<never>((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error)),
  )
}
const ruled = (action: PermissionRule["action"]) => {
  return { scopes: [{ name: "test", rules: [{ permission: "*", pattern: "*", action }] }] }
}

/** Who is told of calls, how often, and with what. */
function listening(guard: () => void = () => undefined) {
  const before: HookInput<"tool.execute.before">[] = []
  const after: HookInput<"tool.execute.after">[] = []
  const plugin: PluginEntry = {
    id: "listening",
    plugin: () => ({
      "tool.execute.before"(input) {
        before.push(input)
        guard()
      },
      "tool.execute.after": (input) => void after.push(input),
    }),
  }
  return { before, after, plugin }
}

interface Case {
  readonly world?: CallWorld
  readonly tool?: string
  readonly args?: JSONValue
  readonly guard?: () => void
  readonly status: HookInput<"tool.execute.after">["status"]
}
const aborting = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort(new Error("stop")) }
}
const stop = aborting()
const stopWhileAsked = aborting()
const look = testTool("look", async () => "seen")

describe("who is told of calls hears once before and once after", () => {
  it.each<[string, Case]>([
    ["one that completes", { status: "completed" }],
    [
      "one that fails",
      { world: { tools: [testTool("look", () => Promise.reject(new Error("no")))] }, status: "error" },
    ],
    ["one of an unknown tool", { tool: "unknown", status: "error" }],
    ["one whose arguments are no JSON", { args: "{nonsense", status: "error" }],
    [
      "one whose arguments do not fit",
      {
        world: {
          tools: [
            testTool("look", never, {
              parse: () => {
                throw new ToolInputError("no")
              },
            }),
          ],
        },
        status: "error",
      },
    ],
    ["one that a rule denies", { world: { rules: ruled("deny") }, status: "denied" }],
    ["one that nobody can be asked about", { world: { rules: ruled("ask") }, status: "denied" }],
    ["one that a person refuses", { world: { rules: ruled("ask"), ask: async () => "reject" }, status: "denied" }],
    [
      "one that is refused with a hint",
      { world: { rules: ruled("ask"), ask: async () => ({ reply: "reject", message: "Not so." }) }, status: "denied" },
    ],
    [
      "one that a guard denies",
      {
        guard: () => {
          throw new Error("no")
        },
        status: "denied",
      },
    ],
    ["one that is late", { world: { tools: [testTool("look", working, { deadline: 20 })] }, status: "timeout" }],
    [
      "one that is aborted at work",
      {
        world: {
          signal: stop.signal,
          tools: [testTool("look", (_input, { signal }) => (stop.abort(), Promise.reject(signal.reason as Error)))],
        },
        status: "aborted",
      },
    ],
    [
      "one that is aborted while a person is asked",
      {
        world: { signal: stopWhileAsked.signal, rules: ruled("ask"), ask: () => (stopWhileAsked.abort(), never()) },
        status: "aborted",
      },
    ],
  ])("of %s", async (_what, { world = {}, tool = "look", args = {}, guard, status }) => {
    const { before, after, plugin } = listening(guard)
    const made = await callWorld({ tools: [look], rootSessionID: "ses_root", ...world, plugins: [plugin] })
    const { part } = await made.run(made.newPart(tool, args))
    const told = { tool, callID: "call_1", sessionID: made.session.id, rootSessionID: "ses_root", agent: "build" }
    expect(before).toMatchObject([told])
    expect(after).toMatchObject([{ ...told, status }])
    expect(part.state.status).toBe(status === "completed" ? "completed" : "error")
  })

  it("of no call of a run that has been stopped already: neither before nor after", async () => {
    const { before, after, plugin } = listening()
    const world = await callWorld({ tools: [look], signal: AbortSignal.abort(new Error("stop")), plugins: [plugin] })
    const { part } = await world.run(world.newPart("look"))
    expect([before, after]).toEqual([[], []])
    expect(part.state).toMatchObject({ status: "error", metadata: { interrupted: true } })
  })
})

describe("a tool's own deadline", () => {
  it("counts in place of all tools'", async () => {
    const slow = testTool("look", async () => (await new Promise((resolve) => setTimeout(resolve, 60)), "seen"), {
      deadline: 0,
    })
    const world = await callWorld({ tools: [slow], deadlines: { tool: 20 } })
    expect((await world.run(world.newPart("look"))).part.state).toMatchObject({ output: "seen" })
    const quick = await callWorld({ tools: [testTool("look", working, { deadline: 20 })] })
    expect((await quick.run(quick.newPart("look"))).part.state).toMatchObject({ error: "No progress for 0.02 s." })
  })

  it("of a plugin's tool counts as well", async () => {
    const plugin: PluginEntry = {
      id: "offering",
      plugin: () => ({ tool: { slow: testTool("slow", working, { deadline: 20 }) } }),
    }
    const world = await callWorld({ plugins: [plugin] })
    expect((await world.run(world.newPart("slow"))).part.state).toMatchObject({ error: "No progress for 0.02 s." })
  })

  it("does not run while people are asked", async () => {
    const stopped: boolean[] = []
    const question = testTool(
      "question",
      async (_input, context) => {
        const chosen = await context.ask([CHOICE])
        stopped.push(context.signal.aborted)
        return String(chosen)
      },
      { deadline: 40 },
    )
    const world = await callWorld({
      tools: [question],
      askChoice: async () => {
        await vi.advanceTimersByTimeAsync(160)
        return [["A"]]
      },
    })
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    expect((await world.run(world.newPart("question"))).part.state).toMatchObject({ output: "A" })
    expect(stopped).toEqual([false])
  })
})

const CHOICE = { question: "Which way?", header: "Way", options: [{ label: "A", description: "" }] }

describe("a tool that asks people", () => {
  const question = testTool("question", async (_input, context) => JSON.stringify(await context.ask([CHOICE])))
  const asking = async (world: CallWorld) => {
    const made = await callWorld({ tools: [question], ...world })
    const { part, outcome } = await made.run(made.newPart("question"))
    return { part, outcome, made, events: made.asking.events.filter(({ type }) => type.startsWith("question.")) }
  }

  it("gets what they choose, stored as rows and told in events", async () => {
    const { part, made, events } = await asking({ askChoice: async () => [["A"]] })
    expect(part.state).toMatchObject({ status: "completed", output: '[["A"]]' })
    const [row] = await made.asking.questions()
    expect(row).toMatchObject({ about: { type: "choice", questions: [CHOICE] }, answer: { answers: [["A"]] } })
    const of = { sessionID: made.session.id, rootSessionID: made.session.id }
    expect(events).toMatchObject([
      { type: "question.asked", properties: { ...of, id: row?.id, questions: [CHOICE], tool: { callID: "call_1" } } },
      { type: "question.replied", properties: { ...of, requestID: row?.id, answers: [["A"]] } },
    ])
  })

  it("where nobody is there reads what to do, stores nothing, and the run goes on", async () => {
    const { part, outcome, made, events } = await asking({})
    expect(part.state).toMatchObject({
      status: "error",
      error: "No user can be asked here: decide yourself and say what you assumed.",
    })
    expect([outcome, await made.asking.questions(), events]).toEqual([{}, [], []])
  })

  it.each([
    ["dismiss it", async () => undefined],
    ["choose what is not offered in its form", async () => [["A"], ["B"]]],
  ])("stops the run where people %s", async (_what, askChoice) => {
    const { outcome, events } = await asking({ askChoice })
    expect(outcome.refusal?.message).toBe("The user dismissed this question.")
    expect(events.at(-1)).toMatchObject({ type: "question.rejected" })
  })

  it("reads that nobody answered in time, and the run goes on", async () => {
    const { part, outcome } = await asking({ askChoice: never, question: 20 })
    expect(part.state).toMatchObject({
      error: expect.stringMatching(/not answered within 0\.02 s: decide yourself/) as string,
    })
    expect(outcome).toEqual({})
  })

  it("once resumed is not asked again what was answered", async () => {
    const world = await callWorld({
      tools: [
        testTool("question", async (_input, context) => String(await context.ask([CHOICE])), { resumable: true }),
      ],
      askPolicy: "wait",
    })
    const part = world.newPart("question")
    const first = world.run(part)
    await until(async () => (await world.asking.questions()).length > 0)
    const [row] = await world.asking.questions()
    world.asking.openQuestions.find(row?.id ?? "")?.take({ type: "choice", answers: [["A"]] })
    await first
    const beside = (await world.readParts()).map((each): Part => (each.type === "tool" ? running(each) : each))
    const again = await callWorld({
      tools: [testTool("question", async (_input, context) => String(await context.ask([CHOICE])))],
    })
    const left = beside.find((each): each is ToolPart => each.type === "tool") as ToolPart
    const moved = { ...left, sessionID: again.session.id, messageID: again.newPart("question").messageID }
    expect((await again.run(moved as never, beside)).part.state).toMatchObject({ output: "A" })
  })
})

/** As it stood while its tool was at work. */
function running(part: ToolPart): ToolPart {
  return {
    ...part,
    metadata: { ...part.metadata, resumable: true },
    state: { status: "running", input: {}, time: { start: 1 } },
  }
}

describe("a call that goes on after a crash", () => {
  it("that has begun is run again only where its tool is resumable", async () => {
    let runs = 0
    const world = await callWorld({ tools: [testTool("look", async () => String(++runs))] })
    const begun = running({ ...world.newPart("look") })
    const { metadata: _metadata, ...unsafe } = begun
    expect((await world.run(unsafe as never, [])).part.state).toMatchObject({ status: "error" })
    expect(runs).toBe(0)
    expect((await world.run({ ...begun, id: "prt_again", callID: "call_2" } as never, [])).part.state).toMatchObject({
      status: "completed",
      time: { start: 1 },
    })
    expect(runs).toBe(1)
  })

  it("says while it runs whether it may be run again", async () => {
    const states: (ToolPart | undefined)[] = []
    const seeing = (name: string, resumable: boolean) =>
      testTool(name, async () => (states.push(await stored()), ""), { resumable, effect: "idempotent" })
    const world = await callWorld({ tools: [seeing("task", true), seeing("look", false)] })
    const stored = async () => {
      const parts = (await world.readParts()).filter((part): part is ToolPart => part.type === "tool")
      return parts.find(({ state }) => state.status === "running")
    }
    await world.run(world.newPart("task"))
    await world.run(world.newPart("look"))
    expect(states.map((part) => part?.metadata)).toEqual([
      { effect: "idempotent", resumable: true },
      { effect: "idempotent" },
    ])
  })
})

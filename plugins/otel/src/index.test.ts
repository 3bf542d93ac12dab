import { createEngine, type Engine, type EngineOptions } from "@pawl/core"
import { ProviderError, type Provider } from "@pawl/core/provider"
import { allTokens, type MessageWithParts, type Session, spentFor } from "@pawl/core/record"
import type { Tool } from "@pawl/core/tool"
import { call, fail, finish, type Reply, scriptedModel, text, wait } from "@pawl/provider-replay"
import { testPlugin } from "@pawl/plugin/testing"
import { memoryStorage } from "@pawl/storage-memory"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type Collector, collector } from "../test/collector.ts"
import otel from "./index.ts"

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const used = { input: 1000, output: 200, reasoning: 50, cacheRead: 700, cacheWrite: 90 }
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Work {
  readonly engine: Engine
  readonly session: Session
  readonly to: Collector
  readonly notices: readonly string[]
  ask(prompt?: string): Promise<unknown>
  /** Ends the engine, which delivers what is left. */
  end(): Promise<void>
}

async function working(
  replies: readonly Reply[],
  { status, options = {}, ...more }: Partial<EngineOptions> & { status?: number; options?: object } = {},
): Promise<Work> {
  const to = await collector(status)
  closing.push(async () => to[Symbol.asyncDispose]())
  const model = scriptedModel(replies, { ref: { providerID: "acme", modelID: "large" }, info: { cost: PRICES } })
  const namer = scriptedModel([[text("A title"), finish("stop", used)]], {
    ...{ ref: { providerID: "acme-small", modelID: "small" }, info: { cost: PRICES } },
  })
  const storage = memoryStorage()
  const engine = await createEngine({
    ...{ storage, providers: [only(model), only(namer)], model: model.ref, retry: { delay: 1 } },
    permission: [{ name: "test", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
    plugins: [{ id: "otel", plugin: otel, options: { endpoint: to.endpoint, ...options } }],
    ...more,
  })
  let isEnded = false
  const end = async () => {
    if (!isEnded) await engine.close()
    isEnded = true
  }
  closing.push(end)
  const notices: string[] = []
  engine.subscribe(({ type, properties }) => {
    if (type === "session.notice") notices.push(properties.message)
    if (type === "plugin.error") notices.push(`${properties.hook}: ${properties.message}`)
  })
  const session = await engine.createSession({ directory: "/secret/place" })
  const ask = (prompt = "Say secret words") => {
    return engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: prompt }] })
  }
  return { engine, session, to, notices, ask, end }
}

function only(model: ReturnType<typeof scriptedModel>): Provider {
  return { id: model.ref.providerID, name: "scripted", models: async () => [model.info], model: async () => model }
}

function tool(name: string, execute: Tool<object>["execute"]): Tool {
  const parse = (input: unknown) => input as object
  return { name, description: name, inputSchema: { type: "object" }, effect: "pure", parse, execute }
}

const look = tool("look", async () => ({ title: "secret title", output: "secret output" }))
const broken = tool("broken", async () => {
  throw new Error("secret failure")
})
const wonder = tool("wonder", async (_input, context) => {
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "secret question" }] }]
  return { title: "", output: (await context.generate({ messages })).text }
})
const task = tool("task", async (_input, context) => {
  const { text: output } = await context.delegate({ description: "Dig", prompt: "secret task", agent: "general" })
  return { title: "", output }
})

/** A turn with all that costs something. */
function everything() {
  const busy = new ProviderError("transient", "secret words of a server", { providerID: "acme" })
  return working(
    [
      [call("task", { secret: "argument" }), finish("tool-calls", used)],
      [text("secret find"), finish("stop", used)],
      [call("wonder", {}), call("look", {}), call("broken", {}), finish("tool-calls", used)],
      [text("secret thought"), finish("stop", used)],
      [text("Half a secret"), fail(busy)],
      [text("A secret answer"), finish("stop", used)],
      [text("No summary"), finish("stop", used)],
      [text("Still none"), finish("stop", used)],
      [text("None at all"), finish("stop", used)],
    ],
    { tools: [look, broken, wonder, task], titleModel: { providerID: "acme-small", modelID: "small" } },
  )
}

/** The title is asked for beside the turn. */
function named({ engine, session }: Work) {
  return expect.poll(async () => (await engine.getSession(session.id)).title).toBe("A title")
}

/** Of the session and its subagents. */
async function stored({ engine, session }: Work): Promise<MessageWithParts[]> {
  const sessions = [session, ...(await engine.children(session.id))]
  const messages: MessageWithParts[] = []
  for (const { id } of sessions) for await (const message of engine.readMessages(id)) messages.push(message)
  return messages
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : 1
}

function sum<T>(values: readonly T[], figure: (value: T) => number): number {
  return values.reduce((all, value) => all + figure(value), 0)
}

describe("metrics", () => {
  it("sum up to what is stored, over steps, subagents, retries, titles, summaries and what tools have models say", async () => {
    const work = await everything()
    await work.ask()
    await named(work)
    await work.engine.compact(work.session.id)
    await work.end()

    const spent = (await stored(work)).map((message) => spentFor(message))
    const told = (metric: string) => sum(work.to.points(metric), ({ value }) => value)
    expect(sum(spent, ({ requests }) => requests)).toBe(10)
    expect(told("pawl.requests")).toBeCloseTo(10, 9)
    const cost = sum(spent, (each) => each.cost)
    expect(cost).toBeGreaterThan(0.05)
    expect(told("pawl.cost")).toBeCloseTo(cost, 9)
    expect(told("pawl.tokens")).toBeCloseTo(
      sum(spent, ({ tokens }) => allTokens(tokens)),
      6,
    )
    expect(work.notices).toEqual([])
  })

  it("name the model, the agent, the tool and what it was for", async () => {
    const work = await everything()
    await work.ask()
    await named(work)
    await work.end()

    const costs = work.to.points("pawl.cost").map(({ attributes }) => Object.values(attributes).join(" "))
    expect(costs.toSorted(inOrder)).toEqual([
      "acme large build step",
      "acme large build step broken",
      "acme large build step look",
      "acme large build step task",
      "acme large build step wonder",
      "acme large general step",
      "acme-small small title title",
    ])
    const wondering = work.to
      .points("pawl.requests")
      .find(({ attributes }) => attributes["gen_ai.tool.name"] === "wonder")
    // Its own, and a third of that of the step.
    expect(wondering?.value).toBeCloseTo(4 / 3, 9)
    const durations = work.to.points("pawl.tool.duration").map(({ attributes }) => attributes)
    expect(durations).toContainEqual({
      ...{ "gen_ai.tool.name": "broken", "error.type": "tool_error", "gen_ai.agent.name": "build" },
    })
    const usage = work.to.points("gen_ai.client.token.usage")
    expect(usage.map(({ attributes }) => String(attributes["gen_ai.token.type"])).toSorted(inOrder)).toEqual([
      "input",
      "input",
      "output",
      "output",
    ])
  })

  it("count what was spent also where the storage can not be read, and a session that is removed at once", async () => {
    const work = await working([[text("Done."), finish("stop", used)]])
    await work.ask()
    await work.engine.removeSession(work.session.id)
    await work.end()
    expect(work.to.points("pawl.requests")).toMatchObject([{ value: 1 }])
    expect(work.notices).toEqual([])
  })

  it("call a summary's spending a compaction's, and tell seconds and tokens as they are", async () => {
    const done: Reply = [text("Done."), finish("stop", used)]
    const work = await working([[wait(300), text("Done."), finish("stop", used)], done, done, done])
    await work.ask()
    await work.engine.compact(work.session.id)
    await work.end()
    const purposes = work.to.points("pawl.requests").map(({ attributes, value }) => [attributes["pawl.purpose"], value])
    expect(purposes).toEqual([
      ["step", 1],
      ["compaction", 3],
    ])
    const [duration, ...others] = work.to.points("gen_ai.client.operation.duration")
    expect(others).toEqual([])
    expect(duration?.count).toBe(1)
    expect(duration?.value).toBeGreaterThanOrEqual(0.29)
    expect(duration?.value).toBeLessThan(30)
    const usage = work.to
      .points("gen_ai.client.token.usage")
      .map(({ value, attributes }) => [attributes["gen_ai.token.type"], value])
    expect(usage).toEqual([
      ["input", 1790],
      ["output", 250],
    ])
    const [chat] = work.to.spans()
    expect(Number((chat?.end ?? 0n) - (chat?.start ?? 0n)) / 1e6).toBeGreaterThanOrEqual(290)
    const written = work.to
      .points("pawl.tokens")
      .find(({ attributes }) => attributes["gen_ai.token.type"] === "cache_write")
    expect(written?.value).toBe(90)
  })

  it("of a fork count nothing: it was paid for where it comes from", async () => {
    const work = await working([[text("Done."), finish("stop", used)]])
    await work.ask()
    await work.engine.forkSession({ sessionID: work.session.id })
    await work.end()
    expect(work.to.points("pawl.requests").reduce((all, { value }) => all + value, 0)).toBe(1)
  })
})

describe("traces", () => {
  it("hold a turn's requests, calls and subagents, each within what asked for it", async () => {
    const work = await everything()
    await work.ask()
    await work.end()

    const spans = work.to.spans()
    const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const within = spans.map(({ name, parentSpanId }) => `${nameOf(parentSpanId) ?? "-"}: ${name}`)
    expect(within.toSorted(inOrder)).toEqual([
      "-: invoke_agent build",
      "invoke_agent build: chat acme/large",
      "invoke_agent build: chat acme/large",
      "invoke_agent build: chat acme/large",
      "invoke_agent build: execute_tool broken",
      "invoke_agent build: execute_tool look",
      "invoke_agent build: execute_tool task",
      "invoke_agent build: execute_tool wonder",
      "invoke_agent build: invoke_agent general",
      "invoke_agent general: chat acme/large",
    ])
    expect(spans.filter(({ isFailed }) => isFailed).map(({ name }) => name)).toEqual(["execute_tool broken"])
    const last = spans.findLast(
      ({ name, parentSpanId }) => name.startsWith("chat") && nameOf(parentSpanId) === "invoke_agent build",
    )
    expect(last?.events).toEqual([
      {
        name: "retry",
        attributes: expect.objectContaining({ "pawl.attempt": 1, "error.type": "transient" }) as unknown,
      },
    ])
    for (const { start, end } of spans) expect(end).toBeGreaterThanOrEqual(start)
  })

  it("tell what each request took, and what each call cost", async () => {
    const work = await everything()
    await work.ask()
    await work.end()

    const spans = work.to.spans()
    const first = spans.find(
      ({ name, attributes }) => name === "chat acme/large" && attributes["gen_ai.agent.name"] === "general",
    )
    expect(first?.attributes).toMatchObject({
      ...{ "gen_ai.operation.name": "chat", "gen_ai.provider.name": "acme", "gen_ai.request.model": "large" },
      ...{ "gen_ai.response.finish_reasons": ["stop"], "pawl.purpose": "step" },
    })
    const answers = (await stored(work)).filter(({ info }) => info.role === "assistant")
    const cost = (name: string, key: string) => {
      return sum(
        spans.filter((span) => span.name.startsWith(name)),
        ({ attributes }) => Number(attributes[key]),
      )
    }
    expect(cost("chat", "pawl.cost")).toBeCloseTo(
      sum(answers, (answer) => spentFor(answer).cost),
      9,
    )
    expect(cost("execute_tool", "pawl.tool.cost")).toBeCloseTo(
      sum(
        answers.filter(({ parts }) => parts.some(({ type }) => type === "tool")),
        (answer) => spentFor(answer).cost,
      ),
      9,
    )
  })

  it("of a turn that fails name the error, without its words", async () => {
    const refusal = new ProviderError("auth", "secret key sk-secret is wrong", { providerID: "acme" })
    const work = await working([[fail(refusal)]])
    await work.ask()
    await work.end()
    const failed = work.to.spans().filter(({ isFailed }) => isFailed)
    expect(failed.map(({ name }) => name)).toEqual(["chat acme/large", "invoke_agent build"])
    for (const { attributes } of failed) expect(attributes["error.type"]).toEqual(expect.any(String))
  })

  it("go on from what started pawl", async () => {
    vi.stubEnv("TRACEPARENT", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    const work = await working([[text("Done."), finish("stop", used)]])
    await work.ask()
    await work.end()
    const turn = work.to.spans().find(({ name }) => name === "invoke_agent build")
    expect(turn).toMatchObject({ traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" })
  })

  it("hold a turn together that is under way when the plugin comes", async () => {
    const to = await collector()
    closing.push(async () => to[Symbol.asyncDispose]())
    const late = { id: "otel", plugin: otel, options: { endpoint: to.endpoint } }
    let engine: Engine | undefined
    const reload = tool("reload", async () => {
      await engine?.plugins.set([late])
      return { title: "", output: "" }
    })
    const replies: Reply[] = [
      [call("reload", {}), finish("tool-calls", used)],
      [call("look", {}), finish("tool-calls", used)],
      [text("Done."), finish("stop", used)],
    ]
    const work = await working(replies, { tools: [reload, look], plugins: [] })
    engine = work.engine
    await work.ask()
    await work.end()
    const spans = to.spans()
    expect(spans.filter(({ name }) => name.startsWith("chat"))).toHaveLength(3)
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual([
      "invoke_agent build",
    ])
  })

  it("begin anew with each prompt", async () => {
    const done: Reply = [text("Done."), finish("stop", used)]
    const work = await working([done, done])
    await work.ask()
    await work.ask()
    await work.end()
    const turns = work.to.spans().filter(({ name }) => name === "invoke_agent build")
    expect(new Set(turns.map(({ traceId }) => traceId)).size).toBe(2)
  })
})

it("a tool that nobody has offered has no name: the model has written it", async () => {
  const work = await working([
    [call("read /home/anna/secret.key", {}), finish("tool-calls", used)],
    [text("Done."), finish("stop", used)],
  ])
  await work.ask()
  await work.end()
  expect(JSON.stringify(work.to.requests.map(({ body }) => body))).not.toContain("secret")
  expect(work.to.points("pawl.requests").map(({ attributes }) => attributes["gen_ai.tool.name"])).toContain("unknown")
})

it("no texts leave: no prompt, answer, argument, output, path, title or error", async () => {
  const work = await everything()
  await work.ask()
  await expect.poll(async () => (await work.engine.getSession(work.session.id)).title).toBe("A title")
  await work.end()
  expect(work.to.requests.length).toBeGreaterThan(1)
  for (const { body } of work.to.requests) {
    const sent = JSON.stringify(body)
    for (const word of ["secret", "A title", "argument"]) expect(sent).not.toContain(word)
  }
})

it("a message that cannot be read is told, and those behind it count", async () => {
  const to = await collector()
  closing.push(async () => to[Symbol.asyncDispose]())
  const notices: string[] = []
  const engine = { getSession: async () => ({}), readMessages: async function* () {} } as unknown as Engine
  const input = {
    options: { endpoint: to.endpoint },
    engine,
    changed: () => {},
    notice: (text: string) => void notices.push(text),
    problem: () => {},
  }
  const hooks = await otel(input)
  const tokens = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } }
  const about = { id: "msg_1", sessionID: "ses_1", role: "assistant", providerID: "a", modelID: "b", agent: "c" }
  const whole = { ...about, requests: 1, cost: 1, tokens, time: { created: 1, completed: 2 } }
  for (const info of [{ ...whole, tokens: undefined }, whole]) {
    void hooks.event?.({ event: { id: "evt_1", type: "message.updated", properties: { info } } } as never, {})
  }
  await hooks.dispose?.({}, {})
  expect(notices).toEqual([expect.stringMatching(/^Something that was done is missing in traces and metrics: ./)])
  expect(to.spans().filter(({ name }) => name === "chat a/b")).toHaveLength(1)
})

describe("where it goes", () => {
  const done: Reply = [text("Done."), finish("stop", used)]

  it("is what its options say", async () => {
    const options = { headers: { authorization: "Bearer abc" }, attributes: { "service.name": "ci", team: "core" } }
    const work = await working([done], { options: { ...options, metrics: false } })
    await work.ask()
    await work.end()
    expect(work.to.requests.map(({ path }) => path)).toEqual(["/v1/traces"])
    expect(work.to.resource()["service.instance.id"]).toMatch(/^[\da-f-]{36}$/)
    expect(work.to.requests[0]?.headers["authorization"]).toBe("Bearer abc")
    expect(work.to.resource()).toMatchObject({ "service.name": "ci", team: "core" })
  })

  it("is what OpenTelemetry's own variables say", async () => {
    await using to = await collector()
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", to.endpoint)
    vi.stubEnv("OTEL_SERVICE_NAME", "nightly")
    vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
    const work = await working([done], { options: { endpoint: undefined } })
    await work.ask()
    await work.end()
    expect(to.requests.map(({ path }) => path).toSorted()).toEqual(["/v1/metrics", "/v1/traces"])
    expect(to.resource()).toMatchObject({ "service.name": "nightly", "deployment.environment.name": "test" })
  })

  it("has metrics alone where traces are not wanted, and a slash at the end of its address is none too many", async () => {
    const to = await collector()
    closing.push(async () => to[Symbol.asyncDispose]())
    const work = await working([done], { options: { endpoint: `${to.endpoint}/`, traces: false } })
    await work.ask()
    await work.end()
    expect(to.requests.map(({ path }) => path)).toEqual(["/v1/metrics"])
  })

  it("has no traces where OTEL_TRACES_SAMPLER wants none", async () => {
    vi.stubEnv("OTEL_TRACES_SAMPLER", "always_off")
    const work = await working([done])
    await work.ask()
    await work.end()
    expect(work.to.requests.map(({ path }) => path)).toEqual(["/v1/metrics"])
  })

  it("is nowhere where OTEL_SDK_DISABLED says so", async () => {
    vi.stubEnv("OTEL_SDK_DISABLED", "true")
    const work = await working([done])
    await work.ask()
    await work.end()
    expect(work.to.requests).toEqual([])
  })

  it("is told of once where nothing arrives, without passwords or a server's words, and the session goes on", async () => {
    const to = await collector(403)
    closing.push(async () => to[Symbol.asyncDispose]())
    const endpoint = to.endpoint.replace("http://", "http://ada:hunter2@")
    const work = await working([done, done], { options: { endpoint, interval: 1 } })
    expect(await work.ask()).toMatchObject({ type: "answered" })
    await expect.poll(() => to.requests.length).toBeGreaterThan(1)
    expect(await work.ask()).toMatchObject({ type: "answered" })
    await work.end()
    expect(work.notices).toEqual([
      `Traces and metrics are not delivered to ${to.endpoint}: the answer was 403. See the options of the plugin otel.`,
    ])
  })

  it("keeps nobody waiting where nobody answers, and that is told", async () => {
    const work = await working([done], { status: 0 })
    await work.ask()
    await work.end()
    expect(work.to.requests.length).toBeGreaterThan(0)
    expect(work.notices).toEqual([expect.stringContaining("no answer came in time")])
  })

  it.each([
    [{ endpoint: "ftp://example.com" }, /endpoint/],
    [{ interval: 0 }, /interval/],
    [{ url: "http://127.0.0.1" }, /url/],
    [{ endpoint: "http://127.0.0.1/?key=x" }, /endpoint: must be without a query/],
  ])("is refused by name: %j", async (options, name) => {
    await expect(testPlugin(otel, { options })).rejects.toThrow(name)
  })
})

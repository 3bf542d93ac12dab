import { tmpdir } from "node:os"
import { type Engine, type EngineEvent, definePlugin } from "@pawl/core/plugin"
import type { ModelMessage } from "@pawl/core/provider"
import { defineTool } from "@pawl/core/tool"
import { call, modelServer, reasoning, reply, type Reply, text } from "@pawl/model-server"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { storedSession } from "../src/stored-session.ts"
import { engineOver, type Wire, wires } from "../src/wires.ts"

const HALF = "\ud83d"
const odd = `before ${HALF} after`

const tool = (name: string, execute: () => string) =>
  defineTool<Record<string, unknown>>({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: {} },
    effect: "pure",
    parse: (input) => input as Record<string, unknown>,
    permissions: () => [],
    execute: async () => ({ title: name, output: execute() }),
  })
const tools = [
  tool("look", () => odd),
  tool("fail", () => {
    throw new Error(odd)
  }),
]

/** What puts half a pair into a session: what the model says first, and what the user does. */
interface Place {
  readonly first?: Reply
  readonly prompt?: string
  readonly act?: (engine: Engine, sessionID: `ses_${string}`) => Promise<unknown>
}

const places: Readonly<Record<string, Place>> = {
  "a tool's output": { first: reply(call("look")) },
  "a tool's error": { first: reply(call("fail")) },
  "a prompt": { prompt: odd },
  "a pin": { act: (engine, sessionID) => engine.pin(sessionID, odd) },
  "the argument of a call, and its name": { first: reply(call("look", { [odd]: { deep: [odd] } })) },
  "what the model says": { first: reply(text([`before ${HALF}`, " after"])) },
  "the model's reasoning": { first: reply(reasoning(odd), call("look")) },
  "a session's title, and its summary": {
    prompt: odd.repeat(20),
    act: (engine, sessionID) => engine.updateSession(sessionID, { title: odd }),
  },
}

describe.each(wires)("half a surrogate pair, over $name", (wire) => {
  it.each(Object.entries(places))("in %s keeps no later request from being answered", async (_name, place) => {
    const replies = [...(place.first ? [place.first] : [])]
    await using server = await modelServer({ replies: () => replies.shift() ?? reply(text("Yes.")) })
    await using engine = await engineOver(wire, server, { tools, titleModel: wire.model })
    const events: EngineEvent[] = []
    engine.subscribe((event) => events.push(event))
    const { id: sessionID } = await engine.createSession({ directory: tmpdir() })
    await place.act?.(engine, sessionID)

    const ask = (words: string) => engine.prompt({ sessionID, parts: [{ type: "text", text: words }] })
    const results = [await ask(place.prompt ?? "Look."), await ask("And now?")]
    const compacted = await engine.compact(sessionID)
    results.push(await ask("And then?"))

    expect(results.map(({ type }) => type)).toEqual(["answered", "answered", "answered"])
    expect(compacted.type).toBe("compacted")
    await server.idle()
    expect(server.requests.map(({ status }) => status)).toEqual(server.requests.map(() => 200))
    expect(server.requests.map((request) => holdsHalf(request.body))).toEqual(server.requests.map(() => false))
  })

  it("in what was stored before keeps no request from being answered", async () => {
    await using server = await modelServer({ replies: () => reply(text("Yes.")) })
    const storage = memoryStorage()
    await using engine = await engineOver(wire, server, { tools, storage })
    const { id: sessionID } = await engine.createSession({ directory: tmpdir() })
    const session = storedSession(sessionID, wire.model)
    const time = { start: 1, end: 2 }
    const input = { [odd]: odd }
    session.user({ type: "text", text: odd })
    session.assistant(
      { finish: "tool-calls" },
      ...[
        { type: "reasoning" as const, text: odd, time },
        { type: "text" as const, text: odd, time },
        {
          ...{ type: "tool" as const, callID: HALF, tool: "look" },
          state: { status: "completed", input, title: odd, output: odd, metadata: {}, time },
        },
        {
          type: "tool" as const,
          callID: "\ud83e",
          tool: `fail${HALF}`,
          state: { status: "error", input, error: odd, time },
        },
      ],
    )
    await session.commit(storage)

    expect(await engine.prompt({ sessionID, parts: [{ type: "text", text: "Well?" }] })).toMatchObject({
      type: "answered",
    })
    expect(server.requests.map(({ status }) => status)).toEqual([200])
    expect(holdsHalf(server.requests[0]?.body)).toBe(false)
  })

  it("that a plugin puts into a request reaches no server", async () => {
    await using server = await modelServer({ replies: () => reply(text("Yes.")) })
    const said: ModelMessage = { role: "user", content: [{ type: "text", text: odd }] }
    const plugin = definePlugin(async () => ({
      "chat.system.transform": async (_input, output) => void output.system.push(odd),
      "chat.messages.transform": async (_input, output) => {
        const [part] = output.messages[0]?.parts ?? []
        if (part?.type === "text") part.text = (said.content[0] as { readonly text: string }).text
      },
    }))
    await using engine = await engineOver(wire, server, { plugins: [{ name: "odd", plugin }] as never })
    const { id: sessionID } = await engine.createSession({ directory: tmpdir() })
    expect(await engine.prompt({ sessionID, parts: [{ type: "text", text: "Well?" }] })).toMatchObject({
      type: "answered",
    })
    expect(server.requests.map((request) => [request.status, holdsHalf(request.body)])).toEqual([[200, false]])
    expect(server.requests[0]?.raw.toString()).toContain("before \uFFFD after")
  })
})

it("of a character that the server splits between two deltas is joined, not replaced", async () => {
  await using server = await modelServer({ replies: () => reply(text(["\ud83d", "\ude00", "!"])) })
  for (const wire of wires) expect(await said(wire, server)).toBe("\u{1F600}!")
})

async function said(wire: Wire, server: Awaited<ReturnType<typeof modelServer>>): Promise<string> {
  await using engine = await engineOver(wire, server)
  const { id: sessionID } = await engine.createSession({ directory: tmpdir() })
  const result = await engine.prompt({ sessionID, parts: [{ type: "text", text: "Smile." }] })
  const parts = result.type === "answered" ? result.answer.parts : []
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

/** Also in JSON within a string, as the arguments of a call are sent. */
function holdsHalf(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed() || (value.startsWith("{") && holdsHalf(parsed(value)))
  if (typeof value !== "object" || value === null) return false
  return Object.entries(value).some(([key, each]) => !key.isWellFormed() || holdsHalf(each))
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

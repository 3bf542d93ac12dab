import { tmpdir } from "node:os"
import { definePlugin } from "@pawl/core/plugin"
import type { JSONObject, JSONValue } from "@pawl/core/record"
import { call, modelServer, type RecordedRequest, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { engineOver, wires } from "../src/wires.ts"

const schema = (name: string): JSONObject => ({
  type: "object",
  properties: { title: { type: "string", description: `For ${name}. ${"x".repeat(2_000)}` } },
})
const plugin = definePlugin(() => ({
  tool: Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => `tracker_do_${n}`).map((name) => [
      name,
      {
        ...{ description: `Does ${name}.`, inputSchema: schema(name), effect: "unsafe", deferrable: true },
        parse: (input: unknown) => input,
        execute: async (input: unknown) => ({ title: "", output: `${name} got ${JSON.stringify(input)}` }),
      } as const,
    ]),
  ),
}))

it.each(wires)("finding and calling deferred tools keeps the beginning of each request over $name", async (wire) => {
  const answers = [
    reply(call("tool_search", { query: "select:tracker_do_3" })),
    reply(call("call_tool", { name: "tracker_do_3", arguments: '{"title":"Ü"}' })),
    reply(call("tool_search", { query: "do_7" })),
    reply(call("tracker_do_7", { title: "b" })),
    reply(text("Done.")),
  ]
  await using server = await modelServer({ replies: [...answers, reply(text("Done again."))] })
  await using engine = await engineOver(wire, server, { plugins: [{ id: "tracker", plugin }] })
  const { id: sessionID } = await engine.createSession({ directory: tmpdir(), title: "Deferred" })
  for (const prompt of ["Go", "Go on"]) {
    expect(await engine.prompt({ sessionID, parts: [{ type: "text", text: prompt }] })).toMatchObject({
      type: "answered",
    })
  }

  const requests = server.requests.filter(({ method }) => method === "POST")
  expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200))
  expect(requests).toHaveLength(6)
  const wireTexts = requests.map((request) => request.raw.toString())
  expect(wireTexts[1]).toContain("For tracker_do_3.")
  expect(wireTexts.at(-1)).toContain('tracker_do_3 got {\\"title\\":\\"Ü\\"}')
  for (const [at, request] of requests.slice(1).entries()) {
    const [before, now] = [partsOf(requests[at] as RecordedRequest), partsOf(request)]
    expect(now.head, `request ${at + 1}`).toBe(before.head)
    expect(now.messages.slice(0, before.messages.length), `request ${at + 1}`).toEqual(before.messages)
  }
})

/** What stands before the messages, and these one by one, without marks of the cache: they say where it ends. */
function partsOf({ body }: RecordedRequest): { readonly head: string; readonly messages: readonly string[] } {
  const { messages, input, contents, ...head } = body as Record<string, JSONValue>
  const items = (messages ?? input ?? contents) as readonly JSONValue[]
  return { head: unmarked(head), messages: items.map(unmarked) }
}

function unmarked(value: JSONValue): string {
  return JSON.stringify(value, (key, each: JSONValue) => (key === "cache_control" ? undefined : each))
}

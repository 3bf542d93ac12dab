import { createEngine, type EngineOptions, type MessageWithParts } from "@pawl/core"
import type { JSONObject } from "@pawl/core/tool"
import { call, finish, type Reply, scriptedModel, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { createScene, type Scene, until } from "./scene.ts"

const answer = (words: string): Reply => [text(words), finish("stop")]
const use = (tool: string, args: JSONObject): Reply => [call(tool, args), finish("tool-calls")]

async function run(scene: Scene, replies: readonly Reply[], options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(replies)
  const { ref, info } = model
  const notices: string[] = []
  const engine = await createEngine({
    storage: memoryStorage(),
    providers: [{ id: ref.providerID, name: "replay", models: async () => [info], model: async () => model }],
    model: ref,
    plugins: [{ id: "mcp", plugin: scene.plugin }],
    permission: [{ name: "test", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
    ...options,
    // On a busy machine a server may need long to start.
    deadlines: { transformHook: 100_000, ...options.deadlines },
  })
  engine.subscribe((event) => {
    if (event.type === "session.notice") notices.push(event.properties.message)
  })
  const { id } = await engine.createSession({ directory: scene.directory, title: "Test" })
  await engine.prompt({ sessionID: id, parts: [{ type: "text", text: "Go" }] })
  const messages: MessageWithParts[] = []
  for await (const message of engine.readMessages(id)) messages.unshift(message)
  const calls = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part] : [])))
  const offeredAt = (step: number) => model.requests[step]?.tools.map(({ name }) => name) ?? []
  return { engine, model, calls, notices, offeredAt, id }
}

describe.concurrent("in an engine", () => {
  it("tools of servers are offered and called like others, and everything ends with it", async () => {
    await using scene = await createScene()
    const { engine, calls, model } = await run(scene, [
      use("fix_echo", { text: "hi" }),
      use("fix_fail", {}),
      answer("Done."),
    ])

    expect(calls.map(({ tool, state }) => [tool, state.status])).toEqual([
      ["fix_echo", "completed"],
      ["fix_fail", "error"],
    ])
    expect(calls[0]?.state).toMatchObject({ output: "echo: hi", title: "fix: echo" })
    expect(calls[1]?.state).toMatchObject({ error: "it broke" })
    expect(model.requests[0]?.system.at(-1)).toContain("Use echo for everything.")

    const [{ pid } = {}] = await scene.control.status()
    expect(pid).toBeGreaterThan(0)
    await engine[Symbol.asyncDispose]()
    expect((await scene.control.status())[0]?.status).toBe("not_started")
  })

  it("tools that appear are there at the next step, once they are allowed", async () => {
    await using scene = await createScene()
    await scene.control.allow("fix")
    const { engine, offeredAt, notices, id } = await run(scene, [
      use("fix_grow", { name: "late" }),
      use("fix_slow", { steps: 6, pause: 50 }),
      answer("Held back."),
      answer("There."),
    ])
    expect(offeredAt(2)).not.toContain("fix_late")
    expect(notices.join()).toContain("held back: late")

    await scene.control.allow("fix")
    await engine.prompt({ sessionID: id, parts: [{ type: "text", text: "And now?" }] })

    expect(offeredAt(3)).toContain("fix_late")
    await engine[Symbol.asyncDispose]()
  })

  it("a rule that denies a tool keeps it from being offered and called", async () => {
    await using scene = await createScene()
    const { engine, calls, offeredAt } = await run(scene, [use("fix_echo", { text: "hi" }), answer("Oh.")], {
      permission: [
        {
          name: "test",
          rules: [
            { permission: "*", pattern: "*", action: "allow" },
            { permission: "fix_echo", pattern: "*", action: "deny" },
          ],
        },
      ],
    })

    expect(offeredAt(0)).not.toContain("fix_echo")
    expect(calls[0]?.state.status).toBe("error")
    expect(await scene.notes()).not.toContain("call echo")
    await engine[Symbol.asyncDispose]()
  })

  it("servers ask people, and the session's model", async () => {
    await using scene = await createScene()
    const { engine, calls, model } = await run(
      scene,
      [use("fix_elicit", {}), use("fix_sample", {}), answer("Sampled."), answer("Done.")],
      { askChoice: async ({ questions }) => questions.map(({ header }) => (header === "Name" ? ["Ann"] : [])) },
    )

    expect(calls[0]?.state).toMatchObject({ output: '{"action":"accept","content":{"name":"Ann","age":7}}' })
    expect(calls[1]?.state).toMatchObject({ output: expect.stringContaining('"text":"Sampled."') as string })
    expect(model.requests[2]?.tools).toEqual([])
    await engine[Symbol.asyncDispose]()
  })

  it("a call that comes to its deadline ends, and the server is told", async () => {
    await using scene = await createScene()
    await scene.control.connect("fix")
    const running = run(scene, [use("fix_hang", {}), answer("Never.")], {
      deadlines: { tool: 2000 },
    })
    await until(async () => (await scene.notes()).includes("call hang"), "the call has begun")

    const { engine, calls } = await running

    expect(calls[0]?.state.status).toBe("error")
    await until(async () => (await scene.notes()).includes("cancelled hang"), "the server was told")
    await engine[Symbol.asyncDispose]()
  })
})

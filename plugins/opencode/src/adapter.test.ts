import { definePlugin } from "@pawl/core/plugin"
import { describe, expect, it } from "vitest"
import { running } from "../test/running.ts"
import { opencodeAdapter } from "./adapter.ts"
import type { OpenCodeClient } from "./client/create-client.ts"
import type { Shell } from "./shell/create-shell.ts"

const host = {
  ...{ directory: "/", worktree: "/", version: "1", project: { id: "p", time: { created: 1 } } },
  ...{ config: () => ({}), agents: () => [], commands: () => [], providers: () => [] },
  ...{ log: () => undefined, toast: () => undefined },
}
const adapter = opencodeAdapter(host)
const idsOf = (module: object) => adapter.adapt(module, { id: "x" }).map(({ id }) => id)

describe("a module", () => {
  it("is one of OpenCode's where something in it can be started, and nothing is pawl's", () => {
    const start = async () => ({})
    expect(adapter.accepts({ default: start })).toBe(true)
    expect(adapter.accepts({ MyPlugin: start })).toBe(true)
    expect(adapter.accepts({ default: { id: "x", server: start } })).toBe(true)
    expect(adapter.accepts({ default: { id: "x", tui: start } })).toBe(true)
    expect(adapter.accepts({ default: definePlugin(() => ({})) })).toBe(false)
    for (const other of [{}, { default: 5 }, undefined, null, "text"]) expect(adapter.accepts(other)).toBe(false)
  })

  it("is started at each of its exports, once each", () => {
    const [one, two] = [async () => ({}), async () => ({})]
    expect(idsOf({ default: one, One: one, Two: two, Three: { server: async () => ({}) } })).toEqual([
      "x",
      "x#Two",
      "x#Three",
    ])
  })

  it("whose default export has a server is started there alone", () => {
    expect(idsOf({ default: { id: "own", server: async () => ({}) }, helper: () => "not called" })).toEqual(["x"])
  })

  it("with an export of another kind is refused, as by OpenCode", () => {
    expect(() => idsOf({ default: async () => ({}), VERSION: "1.0" })).toThrow('Its export "VERSION" is no function')
    expect(() => idsOf({ default: { id: "x", tui: () => undefined } })).toThrow("for OpenCode's terminal")
    expect(() => adapter.adapt({}, { id: "x" })).toThrow("x exports nothing")
  })

  it("that was compiled to CommonJS is what it was before", async () => {
    const own = Object.defineProperty({ default: async () => ({}), Other: async () => ({}) }, "__esModule", {
      value: true,
    })
    const asNodeHasIt = { default: own, "module.exports": own, Other: own.Other, __esModule: true }
    expect(adapter.accepts(asNodeHasIt)).toBe(true)
    expect(idsOf(asNodeHasIt)).toEqual(["x", "x#Other"])
    const plain = async () => ({})
    expect(idsOf({ default: plain, "module.exports": plain })).toEqual(["x"])
  })

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an object without hooks", new Map()],
    ["keys that are not hooks", { name: "x", agent: {}, mcp: {}, "session.idle": () => 1, tool: {} }],
    ["handlers of events", { "session.compacted": () => 1, "command.executed": () => 1, "permission.asked": () => 1 }],
  ])("may return %s", async (_what, returned) => {
    await using scene = await running({ modules: { p: { default: async () => returned } } })
    expect((await scene.ask("Hi")).type).toBe("answered")
    expect(scene.events.filter(({ type }) => type === "plugin.error" || type === "session.notice")).toEqual([])
  })

  it.each<[string, unknown, string, string]>([
    ["a number", 5, "start", "it returned 5"],
    ["a text", "text", "start", 'it returned "text"'],
    ["a list", [], "start", "it returned a list"],
    ["a guard that is a text", { "tool.execute.before": "string" }, "tool.execute.before", 'found "string"'],
    ["another handler", { "experimental.text.complete": {} }, "text.complete", "a function, found an object"],
    ["a `config`", { config: 3 }, "config", "expected a function, found 3"],
    ["an `event`", { event: 7 }, "event", "expected a function, found 7"],
    ["a `dispose`", { dispose: 7 }, "dispose", "expected a function, found 7"],
    ["a text for tools", { tool: "none" }, "tool", 'an object of tools by name instead of "none"'],
    ["a function for tools", { tool: () => ({}) }, "tool", "an object of tools by name, found a function"],
    ["a number for a tool", { tool: { x: 3 } }, "tool", '"x" cannot be offered as a tool: give an object instead of 3'],
    ["a number for `auth`", { auth: 7 }, "auth", "expected an object, found 7"],
    ["`auth` without a provider", { auth: { methods: [] } }, "auth", "its `provider` to be a text, found nothing"],
    ["`auth` with other methods", { auth: { provider: "p", methods: 1 } }, "auth", "`methods` to be a list, found 1"],
    [
      "a sign-in that does nothing",
      { auth: { provider: "p", methods: [{ type: "oauth", label: "Browser" }] } },
      ...(["auth", 'sign-in method 1 is left out: give it a `type` of "oauth" or "api", a `label`'] as const),
    ],
    ["a loader", { auth: { provider: "p", loader: "x" } }, "auth", '`loader` to be a function, found "x"'],
    ["a number for `provider`", { provider: 5 }, "provider", "expected an object, found 5"],
    ["other models", { provider: { id: "p", models: {} } }, "provider", "`models` to be a function, found an object"],
  ])("is reported by plugin and hook if it returns %s", async (_what, returned, hook, message) => {
    await using scene = await running({ modules: { p: { default: async () => returned } } })
    expect((await scene.ask("Hi")).type).toBe("answered")
    expect(scene.events.find(({ type }) => type === "plugin.error")).toMatchObject({
      properties: { plugin: "p", hook, message: expect.stringContaining(message) },
    })
  })

  it("may export functions beside the plugin that return something else", async () => {
    const modules = { p: { default: async () => ({}), version: () => "1.0" } }
    await using scene = await running({ modules })
    expect((await scene.ask("Hi")).type).toBe("answered")
    expect(scene.events.filter(({ type }) => type === "plugin.error")).toEqual([])
  })

  it("that cannot be started leaves the others at work", async () => {
    const modules = {
      broken: { helper: (text: string) => text.trim() },
      good: { default: async () => ({ "experimental.chat.system.transform": pushing("Good.") }) },
    }
    await using scene = await running({ modules })
    await scene.ask("Hi")
    expect(scene.model.requests[0]?.system.join("\n")).toContain("Good.")
    expect(scene.events).toContainEqual(
      expect.objectContaining({ type: "plugin.error", properties: expect.objectContaining({ plugin: "broken" }) }),
    )
  })
})

const pushing = (words: string) => async (_input: unknown, output: { system: string[] }) =>
  void output.system.push(words)

describe("what a plugin is started with", () => {
  it("is OpenCode's input, and the options of its entry", async () => {
    const given: unknown[] = []
    const module = { default: async (...args: unknown[]) => void given.push(...args) }
    await using scene = await running({
      modules: { module },
      options: { level: 3 },
      host: { serverURL: new URL("http://127.0.0.1:9/") },
    })
    const [input, options] = given as [Record<string, never>, unknown]
    expect(options).toEqual({ level: 3 })
    const { directory } = scene
    expect(input).toMatchObject({
      ...{ directory, worktree: directory, serverUrl: new URL("http://127.0.0.1:9/") },
      project: { id: "project-1", worktree: directory, time: { created: 1 }, sandboxes: [] },
    })
    const { $, client, experimental_workspace: workspace } = input as unknown as Input
    expect(await $`pwd`.text()).toBe(`${directory}\n`)
    expect((await client.session.list()).data).toMatchObject([{ id: scene.sessionID }])
    workspace.register("cloud", {})
    expect(scene.events.at(-1)).toMatchObject({
      type: "session.notice",
      properties: { message: expect.stringContaining("cloud") },
    })
  })

  it("has a client whose events come without a server", async () => {
    let input: Input | undefined
    const module = { default: async (given: Input) => void (input = given) }
    await using scene = await running({ modules: { module } })
    const stop = new AbortController()
    const { stream } = await (input as Input).client.event.subscribe({ signal: stop.signal })
    const types: string[] = []
    void scene.ask("Hi")
    for await (const event of stream) {
      types.push((event as { type: string }).type)
      if (types.at(-1) === "session.idle") break
    }
    expect(types[0]).toBe("server.connected")
    expect(types).toEqual(expect.arrayContaining(["message.updated", "session.status"]))
    const all = (await (input as Input).client.global.event({ signal: stop.signal })).stream
    expect((await all.next()).value).toMatchObject({
      directory: scene.directory,
      payload: { type: "server.connected" },
    })
    stop.abort()
    expect((await all.next()).done).toBe(true)
  })

  it("has a client whose events end with the plugin, and with a signal that nobody waits for", async () => {
    let hasEnded = false
    let unread: AsyncGenerator | undefined
    const stop = new AbortController()
    const module = {
      default: async ({ client }: Input) => {
        const { stream } = await client.event.subscribe()
        unread = (await client.event.subscribe({ signal: stop.signal })).stream
        void (async () => {
          for await (const _ of stream);
          hasEnded = true
        })()
        return {}
      },
    }
    {
      await using scene = await running({ modules: { module } })
      await scene.ask("Hi")
      expect(hasEnded).toBe(false)
      stop.abort()
      expect(await unread?.next()).toEqual({ done: true, value: undefined })
    }
    await expect.poll(() => hasEnded).toBe(true)
  })

  it("has a client that answers while the plugin starts", async () => {
    const answers: unknown[] = []
    const module = {
      default: async ({ client }: Input) => {
        for (let round = 0; round < 20; round++) await client.session.list()
        const { data: session } = await client.session.create({ body: { title: "Made at the start" } })
        const path = { id: session?.id ?? "" }
        const parts = [{ type: "text" as const, text: "Hi" }]
        answers.push((await client.session.prompt({ path, body: { parts } })).data?.info.role)
        return {}
      },
    }
    await using scene = await running({ modules: { module } })
    expect(answers).toEqual(["assistant"])
    expect((await scene.ask("Hi")).type).toBe("answered")
  })

  it("is the plugin's engine's, where there are several", async () => {
    const seen: string[][] = []
    const module = {
      default: async ({ client, directory }: Input & { directory: string }) => ({
        event: async ({ event }: { event: { type: string } }) => {
          if (event.type !== "session.idle") return
          const { data = [] } = await client.session.list()
          seen.push([directory, ...data.map((session) => session.directory)])
        },
      }),
    }
    await using one = await running({ modules: { module } })
    await using two = await running({ modules: { module } })
    await Promise.all([one.ask("Hi"), two.ask("Hi")])
    await expect.poll(() => seen.length).toBe(2)
    expect(new Map(seen.map(([directory, ...listed]) => [directory, listed]))).toEqual(
      new Map([one, two].map(({ directory }) => [directory, [directory]])),
    )
  })

  it("lets it ask the session from within a hook", async () => {
    const module = {
      default: async ({ client }: Input) => {
        let isTold = false
        return {
          "chat.message": async ({ sessionID }: { sessionID: string }) => {
            if (isTold) return
            isTold = true
            const parts = [{ type: "text" as const, text: "Known beforehand.", synthetic: true }]
            await client.session.prompt({ path: { id: sessionID }, body: { noReply: true, parts } })
          },
        }
      },
    }
    await using scene = await running({ modules: { module } })
    await scene.ask("Hi")
    expect(JSON.stringify(scene.model.requests[0]?.messages)).toContain("Known beforehand.")
  })
})

interface Input {
  readonly $: Shell
  readonly client: OpenCodeClient
  readonly experimental_workspace: { register(type: string, adapter: object): void }
}

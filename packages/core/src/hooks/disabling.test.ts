import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { defaultDeadlines } from "../base/deadlines.ts"
import type { SessionID } from "../base/ids.ts"
import { loadHooks } from "../../test/load-hooks.ts"
import { type PluginHooks } from "./plugin.ts"
import { definePlugin } from "../plugin.ts"

const broken = () => {
  throw new Error("broken")
}
const never = () => new Promise<never>(() => {})
/** Fails where `outcomes` says so, call by call, and works from then on. */
const scripted = (outcomes: string, log: string[] = []) => {
  let calls = 0
  return () => {
    log.push("called")
    if (outcomes[calls++] === "x") broken()
  }
}

/** A session's calls of hooks, and what became of the plugins. */
async function load(plugins: Record<string, PluginHooks>) {
  const failed: string[] = []
  const disabled: string[] = []
  const hooks = await loadHooks(
    Object.entries(plugins).map(([id, given]) => ({ id, plugin: () => given })),
    { ...defaultDeadlines, guardHook: 20, transformHook: 20 },
    {
      failed: ({ plugin, hook }, sessionID) => void failed.push(`${plugin} ${hook} ${sessionID}`),
      disabled: (plugin, sessionID) => void disabled.push(`${plugin} ${sessionID}`),
    },
  )
  const of = (sessionID: SessionID) => {
    const about = { sessionID, rootSessionID: sessionID, messageID: "msg_1", callID: "call_1", agent: "build" } as const
    const info = { ...about, tool: "read" } as const
    const event = { id: "evt_1", type: "session.idle", properties: { sessionID } } as const
    return {
      complete: () => hooks.transform("text.complete", { ...about, partID: "prt_1" }, { text: "" }),
      system: () =>
        hooks.transform(
          "chat.messages.transform",
          { ...about, model: { providerID: "a", modelID: "b" } },
          { messages: [] },
        ),
      env: () => hooks.transform("shell.env", { cwd: "/", ...info }, { env: {} }),
      define: () => hooks.transform("tool.definition", { toolID: "t", ...about }, { description: "", inputSchema: {} }),
      tell: () => hooks.observe("event", { event }),
      before: () => hooks.guard("tool.execute.before", info, { args: {} }).catch((error: Error) => error.message),
    }
  }
  return { hooks, failed, disabled, of }
}
async function times(count: number, call: () => Promise<unknown>) {
  for (let n = 0; n < count; n++) await call()
}

describe("a plugin that fails three times in a row", () => {
  it("is disabled for the session, which is told once; the others run", async () => {
    const bad: string[] = []
    const good: string[] = []
    const { failed, disabled, of } = await load({
      bad: { "text.complete": scripted("xxx", bad), "chat.messages.transform": () => void bad.push("system") },
      good: { "text.complete": () => void good.push("called") },
    })
    const { complete, system } = of("ses_1")
    await times(2, complete)
    expect(disabled).toEqual([])
    await times(3, complete)
    await system()

    expect(disabled).toEqual(["bad ses_1"])
    expect(failed).toEqual(Array(3).fill("bad text.complete ses_1"))
    expect(bad).toEqual(["called", "called", "called"])
    expect(good).toHaveLength(5)
  })

  it("works on in other sessions", async () => {
    const log: string[] = []
    const { disabled, of } = await load({ bad: { "text.complete": scripted("xxxxxx", log) } })
    const [one, two] = [of("ses_1"), of("ses_2")]
    await times(2, one.complete)
    await times(2, two.complete)
    expect(disabled).toEqual([])

    await times(2, one.complete)
    expect(disabled).toEqual(["bad ses_1"])
    await times(2, two.complete)
    expect(disabled).toEqual(["bad ses_1", "bad ses_2"])
    expect(log).toHaveLength(6)
  })

  it.each<[string, PluginHooks]>([
    ["throws", { "text.complete": broken }],
    ["is late", { "text.complete": never }],
    ["leaves nonsense", { "text.complete": (_input, output) => void delete (output as { text?: string }).text }],
  ])("is disabled when its handler %s", async (_what, bad) => {
    const { disabled, of } = await load({ bad })
    await times(3, of("ses_1").complete)
    expect(disabled).toEqual(["bad ses_1"])
  })

  it("is disabled by failures of several hooks", async () => {
    const { disabled, of } = await load({
      bad: { "text.complete": broken, "chat.messages.transform": broken, "tool.definition": broken },
    })
    const { complete, system, define } = of("ses_1")
    await complete()
    await system()
    expect(disabled).toEqual([])
    await define()
    expect(disabled).toEqual(["bad ses_1"])
  })

  it("is disabled as an observer too, with three failures told, however many events were under way", async () => {
    const { failed, disabled, of } = await load({ bad: { event: broken } })
    const { tell } = of("ses_1")
    await Promise.all(Array.from({ length: 20 }, tell))

    expect(failed).toEqual(Array(3).fill("bad event ses_1"))
    expect(disabled).toEqual(["bad ses_1"])
  })

  it("is told that the engine closes", async () => {
    const closed: string[] = []
    const { hooks, of } = await load({ bad: { "text.complete": broken, dispose: () => void closed.push("closed") } })
    await times(3, of("ses_1").complete)
    await hooks.close()
    expect(closed).toEqual(["closed"])
  })
})

describe("the count", () => {
  it("begins anew when the hook works again", async () => {
    const { disabled, of } = await load({ bad: { "text.complete": scripted("xx.xx.xxx") } })
    const { complete } = of("ses_1")
    await times(8, complete)
    expect(disabled).toEqual([])
    await complete()
    expect(disabled).toEqual(["bad ses_1"])
  })

  it("does not hang on what other hooks of the plugin do meanwhile", async () => {
    const { disabled, of } = await load({ bad: { "text.complete": broken, event: () => {}, "shell.env": () => {} } })
    const { complete, tell, env } = of("ses_1")
    await times(3, async () => {
      await complete()
      await tell()
      await env()
    })
    expect(disabled).toEqual(["bad ses_1"])
  })
})

describe("the guards of a plugin", () => {
  it("may refuse as often as they like: refusing is their work", async () => {
    const { disabled, of } = await load({ guard: { "tool.execute.before": broken } })
    const { before } = of("ses_1")
    await times(5, before)

    expect(await before()).toMatch(/broken/)
    expect(disabled).toEqual([])
  })

  it("stay when the plugin is disabled for its other hooks", async () => {
    let calls = 0
    const { disabled, of } = await load({
      mixed: {
        "text.complete": broken,
        "tool.execute.before": () => {
          if (++calls > 1) broken()
        },
      },
    })
    const { complete, before } = of("ses_1")
    await times(3, complete)
    expect(disabled).toEqual(["mixed ses_1"])

    expect(await before()).toEqual({ args: {} })
    expect(await before()).toMatch(/broken/)
  })

  it.each<[string, PluginHooks]>([
    ["are late", { "tool.execute.before": never }],
    ["leave nonsense", { "tool.execute.before": (_input, output) => void delete (output as { args?: unknown }).args }],
  ])("that %s three times refuse from then on without being called", async (_what, bad) => {
    let calls = 0
    const { failed, disabled, of } = await load({
      bad: {
        "tool.execute.before": (input, output) => (calls++, bad["tool.execute.before"]?.(input, output)),
      },
    })
    const { before } = of("ses_1")
    await times(3, before)
    expect(disabled).toEqual(["bad ses_1"])

    expect(await before()).toMatch(/^Plugin "bad" failed in hook "tool.execute.before": .*disabled/)
    expect([calls, failed]).toEqual([3, []])
  })
})

it("shows in the engine's events", async () => {
  const model = scriptedModel([
    [text("One."), call("look", { at: 1 }), finish("tool-calls")],
    [text("Two."), call("look", { at: 2 }), finish("tool-calls")],
    [text("Three."), call("look", {}), finish("tool-calls")],
    [text("Four."), finish("stop")],
  ])
  await using test = await testEngine({
    model,
    tools: [testTool("look", async () => "seen")],
    plugins: [{ id: "bad", plugin: definePlugin(() => ({ "text.complete": broken, event: () => {} })) }],
  })

  expect((await test.ask("Go")).type).toBe("answered")

  const sessionID = test.session.id
  const about = test.events.filter(({ type }) => type.startsWith("plugin."))
  expect(about.map(({ type, properties }) => ({ type, properties }))).toEqual([
    ...Array.from({ length: 3 }, () => ({
      type: "plugin.error",
      properties: {
        plugin: "bad",
        hook: "text.complete",
        message: 'Plugin "bad" failed in hook "text.complete": broken',
        sessionID,
      },
    })),
    {
      type: "plugin.disabled",
      properties: {
        plugin: "bad",
        sessionID,
        message: 'Plugin "bad" failed three times in a row and is disabled for this session.',
      },
    },
  ])
})

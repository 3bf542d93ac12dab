import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { testTool } from "../../test/engine-fixture.ts"
import { defaultDeadlines } from "../base/deadlines.ts"
import { HookError } from "../base/errors.ts"
import { aboutText as about, loadHooks, toolScope } from "../../test/load-hooks.ts"
import type { Hooks } from "./hooks.ts"
import type { PluginHooks } from "./plugin.ts"
import type { PluginEntry } from "../plugin.ts"
import type { HookInput } from "../contracts/hooks.ts"

// Time passes only when everything waits for it, so no deadline comes before what is in time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  vi.setTimerTickMode("nextTimerAsync")
})
afterEach(() => void vi.useRealTimers())

const call = {
  callID: "call_1",
  messageID: "msg_1",
  sessionID: "ses_1",
  rootSessionID: "ses_1",
  agent: "build",
} as const
const never = () => new Promise<never>(() => {})
const broken = () => {
  throw new Error("broken")
}

/** Hooks of plugins given by id, and what was reported of them. */
async function load(plugins: Record<string, PluginHooks> | PluginEntry[]) {
  const failures: HookError[] = []
  const disabled: string[] = []
  const given = Array.isArray(plugins)
    ? plugins
    : Object.entries(plugins).map(([id, hooks]) => ({ id, plugin: () => hooks }))
  const hooks = await loadHooks(
    given,
    { ...defaultDeadlines, guardHook: 400, transformHook: 300 },
    {
      failed: (error) => void failures.push(error),
      disabled: (plugin, sessionID) => void disabled.push(`${plugin} in ${sessionID}`),
    },
  )
  return { hooks, failures, disabled, messages: () => failures.map(({ message }) => message) }
}
/** Handlers may be written in JavaScript and return what they like. */
const untyped = (handler: (input: never, output: never) => unknown) => handler as never

interface ClassCase {
  readonly name: string
  /** The hook with a handler that is handed the draft's text, and may return another. */
  readonly hook: (handler: (draft: { text: string }) => unknown) => PluginHooks
  /** Calls the hook with a draft of "draft" and gives the draft afterwards. */
  readonly run: (hooks: Hooks, signal?: AbortSignal) => Promise<string>
}
const transform: ClassCase = {
  name: "a transform",
  hook: (handler) => ({ "text.complete": untyped((_input, output) => handler(output)) }),
  run: async (hooks, signal) => (await hooks.transform("text.complete", about, { text: "draft" }, signal)).text,
}
const guard: ClassCase = {
  name: "a guard",
  hook: (handler) => ({
    "tool.execute.before": untyped((_input, output: { args: { text: string } }) => handler(output.args)),
  }),
  run: async (hooks, signal) => {
    const draft = { args: { text: "draft" } }
    const { args } = await hooks.guard("tool.execute.before", { ...call, tool: "read" }, draft, signal)
    return (args as { text: string }).text
  },
}

describe.each([transform, guard])("$name", ({ hook, run }) => {
  const adding = (word: string) => hook((draft) => void (draft.text += ` ${word}`))

  it("without handlers leaves the draft as it is", async () => {
    const { hooks } = await load({ bystander: {} })
    expect(await run(hooks)).toBe("draft")
  })

  it("is called once for each plugin, by priority and then in the order given, each with the draft of the one before", async () => {
    const entry = (id: string, priority?: number): PluginEntry => {
      return { id, plugin: () => adding(id), ...(priority === undefined ? {} : { priority }) }
    }
    const { hooks } = await load([
      entry("b"),
      entry("last", -1),
      entry("z", 10),
      entry("a"),
      entry("y", 10),
      entry("zero", 0),
    ])
    expect(await run(hooks)).toBe("draft z y b a zero last")
  })

  it("waits for handlers that take their time", async () => {
    const slow = hook(async (draft) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      draft.text += " slow"
    })
    const { hooks } = await load({ slow, quick: adding("quick") })
    expect(await run(hooks)).toBe("draft slow quick")
  })

  it("gives each call a draft of its own", async () => {
    const { hooks } = await load({ a: adding("a") })
    expect([await run(hooks), await run(hooks)]).toEqual(["draft a", "draft a"])
  })

  it("does not wait for a handler once the signal aborts, and counts that for no failure", async () => {
    vi.setTimerTickMode("manual")
    const next = vi.fn()
    const { hooks, failures, disabled } = await load({ deaf: hook(never), next: hook(next) })
    for (let n = 0; n < 4; n++) {
      const controller = new AbortController()
      const reason = new Error("stopped")
      const outcome = run(hooks, controller.signal).catch((error: unknown) => error)
      await new Promise((resolve) => setImmediate(resolve))
      controller.abort(reason)
      expect(await outcome).toBe(reason)
    }
    expect([failures, disabled, next.mock.calls]).toEqual([[], [], []])
  })

  it("calls no handler when the signal has aborted before", async () => {
    const handler = vi.fn()
    const { hooks } = await load({ acme: hook(handler) })
    const reason = new Error("stopped")
    await expect(run(hooks, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(handler).not.toHaveBeenCalled()
  })

  it("fails as ever while the signal has not aborted", async () => {
    const { hooks, failures } = await load({ acme: hook(broken) })
    const outcome = await run(hooks, new AbortController().signal).catch((error: unknown) => [error])
    expect([failures, outcome].flat()).toContainEqual(expect.objectContaining({ name: "HookError", plugin: "acme" }))
  })

  it("does not listen to a draft that is edited when its handler has ended", async () => {
    let kept = { text: "" }
    const editing = (draft: { text: string }) => {
      kept.text = "too late"
      draft.text += " b"
    }
    const { hooks } = await load({ a: hook((draft) => void (kept = draft)), b: hook(editing) })
    expect(await run(hooks)).toBe("draft b")
  })
})

describe("a returned value", () => {
  const complete = async (handler: (input: never, output: { text: string }) => unknown) => {
    const { hooks, messages } = await load({ a: { "text.complete": untyped(handler) } })
    return [await transform.run(hooks), messages()]
  }

  it("replaces the draft, whatever was done to it", async () => {
    expect(await complete(() => ({ text: "new" }))).toEqual(["new", []])
    expect(await complete((_input, output) => ((output.text = "edited"), { text: "new" }))).toEqual(["new", []])
    expect(await complete(async () => ({ text: "new" }))).toEqual(["new", []])
  })

  it.each<[string, (input: never, output: { text: string }) => unknown]>([
    ["a number", (_input, output) => (output.text = "edited").length],
    ["a text", (_input, output) => (output.text = "edited")],
    ["null", (_input, output) => ((output.text = "edited"), null)],
  ])("that is no draft, such as %s, is what a short arrow function happens to return", async (_what, handler) => {
    expect(await complete(handler)).toEqual(["edited", []])
  })

  it.each<[string, (input: never, output: { text: string }) => unknown]>([
    ["a list", (_input, output) => [(output.text = "edited")]],
    ["another object", (_input, output) => ({ other: (output.text = "edited") })],
  ])("that is neither, such as %s, is reported, and what was edited counts", async (_what, handler) => {
    expect(await complete(handler)).toEqual(["edited", [expect.stringContaining("it returned ")]])
  })
})

describe("what is read back of a draft", () => {
  const readBack = async (handler: (draft: { args: unknown }) => unknown, args: unknown = {}) => {
    const { hooks } = await load({
      acme: { "tool.execute.before": untyped((_input, output: { args: unknown }) => handler(output)) },
    })
    return hooks.guard("tool.execute.before", { ...call, tool: "read" }, { args })
  }

  it.each<[string, (draft: { args: unknown }, args: object) => unknown]>([
    ["put into its draft", (draft, args) => void (draft.args = args)],
    ["returned", (_draft, args) => ({ args })],
  ])("no longer belongs to a plugin that keeps what it has %s", async (_what, handler) => {
    const kept = { command: "ls", more: ["-l"] }
    const { args } = await readBack((draft) => handler(draft, kept))
    kept.command = "rm -rf /"
    kept.more.push("--no-preserve-root")
    expect(args).toEqual({ command: "ls", more: ["-l"] })
  })

  it("is JSON: nothing else reaches tools and storage", async () => {
    class Point {
      readonly #secret = 1
      readonly x = 1
      sum = () => this.#secret + this.x
    }
    const odd = {
      ...{ date: new Date(0), map: new Map([["a", 1]]), nan: Number.NaN, absent: undefined, point: new Point() },
      list: [undefined, () => 1],
    }
    const { args } = await readBack((draft) => void (draft.args = odd))
    expect(args).toStrictEqual({
      ...{ date: "1970-01-01T00:00:00.000Z", map: {}, nan: null, point: { x: 1 }, list: [null, null] },
    })
  })

  it("is judged as it is read back", async () => {
    await expect(readBack((draft) => void (draft.args = undefined))).rejects.toThrow(HookError)
    await expect(readBack((draft) => void (draft.args = 1n))).rejects.toThrow(HookError)
    await expect(readBack((draft) => void (draft.args = () => {}))).rejects.toThrow(HookError)
  })

  it("is no plugin's fault where the engine's own value holds what is no JSON", async () => {
    const metadata = { file: { path: "a", open: () => {} }, absent: undefined }
    const { hooks, failures } = await load({
      acme: { "tool.execute.after": (_input, output) => void (output.output += "!") },
    })
    const after = await hooks.transform(
      "tool.execute.after",
      { ...call, tool: "read", args: {}, status: "completed" },
      { title: "", output: "done", metadata },
    )
    expect(after).toStrictEqual({ title: "", output: "done!", metadata: { file: { path: "a" } } })
    expect(failures).toEqual([])
  })
})

describe("the input", () => {
  it("is a frozen copy, all the way down", async () => {
    const metadata = { files: ["a"] }
    const edits = vi.fn<(input: HookInput<"permission.ask">) => void>((input) => {
      expect(() => ((input.metadata as typeof metadata).files[0] = "b")).toThrow(TypeError)
      expect(() => ((input as { tool: string }).tool = "write")).toThrow(TypeError)
    })
    const { hooks } = await load({ a: { "permission.ask": edits } })
    const input = { ...call, tool: "read", permission: "read", patterns: ["a"], metadata }

    await hooks.guard("permission.ask", input, { status: "ask" })

    expect(edits).toHaveBeenCalledTimes(1)
    expect(edits.mock.calls[0]?.[0]).toEqual(input)
    expect(Object.isFrozen(metadata.files)).toBe(false)
    expect(metadata.files).toEqual(["a"])
  })
})

describe("a value that contains itself", () => {
  const withItself = () => {
    const args: Record<string, unknown> = { text: "draft" }
    args["self"] = args
    return args
  }

  it("is no draft: the plugin that made it is named", async () => {
    const { hooks } = await load({
      acme: { "tool.execute.before": (_input, output) => void (output.args = withItself()) },
      next: guard.hook(() => expect.fail("the next plugin was called")),
    })
    await expect(guard.run(hooks)).rejects.toMatchObject({ plugin: "acme", hook: "tool.execute.before" })
  })

  it("is told like any other", async () => {
    const seen: unknown[] = []
    const { hooks } = await load({
      acme: { "permission.ask": ({ metadata }) => void seen.push((metadata["self"] as typeof metadata)["text"]) },
    })
    const input = { ...call, tool: "read", permission: "read", patterns: [], metadata: withItself() }
    await hooks.guard("permission.ask", input, { status: "ask" })
    expect(seen).toEqual(["draft"])
  })
})

describe("a guard fails closed", () => {
  it.each<[string, () => unknown, string]>([
    ["throws", broken, "broken"],
    ["rejects", () => Promise.reject(new Error("broken")), "broken"],
    [
      "throws a text",
      untyped(() => {
        throw "broken"
      }),
      "broken",
    ],
    ["is late", never, "it took longer than 400 ms"],
  ])("when a handler %s, naming plugin and hook", async (_what, handler, reason) => {
    const after = vi.fn()
    const { hooks, failures } = await load({ acme: guard.hook(handler), next: guard.hook(after) })
    const error = await guard.run(hooks).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(HookError)
    expect(error).toMatchObject({ plugin: "acme", hook: "tool.execute.before" })
    expect((error as Error).message).toBe(`Plugin "acme" failed in hook "tool.execute.before": ${reason}`)
    expect(after).not.toHaveBeenCalled()
    expect(failures).toEqual([])
  })

  it("when a draft is left in a shape that it may not have", async () => {
    const { hooks } = await load({
      acme: { "permission.ask": untyped((_input, output: { status: string }) => (output.status = "sure")) },
    })
    const input = { ...call, tool: "read", permission: "read", patterns: [], metadata: {} }
    await expect(hooks.guard("permission.ask", input, { status: "ask" })).rejects.toMatchObject({
      name: "HookError",
      plugin: "acme",
      hook: "permission.ask",
    })
  })

  it("when the arguments of a call are taken away", async () => {
    const { hooks } = await load({
      acme: { "tool.execute.before": untyped((_input, output: { args?: unknown }) => void delete output.args) },
    })
    await expect(guard.run(hooks)).rejects.toThrow(HookError)
  })

  it("keeping the cause", async () => {
    const cause = new Error("broken")
    const { hooks } = await load({ acme: guard.hook(() => Promise.reject(cause)) })
    await expect(guard.run(hooks)).rejects.toMatchObject({ cause })
  })
})

describe("a transform that fails is skipped", () => {
  it.each<[string, (draft: { text: string }) => unknown, string]>([
    ["throws", broken, "broken"],
    ["rejects", () => Promise.reject(new Error("broken")), "broken"],
    ["is late", never, "it took longer than 300 ms"],
    [
      "throws what has no words",
      untyped(() => {
        throw Object.create(null)
      }),
      "",
    ],
    ["breaks the draft", (draft) => void ((draft as { text: unknown }).text = 1), ""],
    ["empties the draft", (draft) => void delete (draft as { text?: string }).text, ""],
  ])(
    "when its handler %s; the others see the draft as it was, and the plugin is named",
    async (_what, handler, reason) => {
      const half = (draft: { text: string }) => {
        draft.text += " half done"
        return handler(draft)
      }
      const { hooks, failures, messages } = await load({
        before: transform.hook((draft) => void (draft.text += " before")),
        acme: transform.hook(half),
        after: transform.hook((draft) => void (draft.text += " after")),
      })

      expect(await transform.run(hooks)).toBe("draft before after")
      expect(failures).toMatchObject([{ name: "HookError", plugin: "acme", hook: "text.complete" }])
      expect(messages()[0]).toContain(`Plugin "acme" failed in hook "text.complete": ${reason}`)
    },
  )
})

describe("an observer", () => {
  const event = { id: "evt_1", type: "session.idle", properties: { sessionID: "ses_1" } } as const

  it("tells every handler; failures are reported and hold up nobody", async () => {
    const told: unknown[] = []
    const { hooks, messages } = await load({
      late: { event: never },
      acme: { event: broken },
      good: { event: ({ event: given }) => void told.push(given) },
    })
    const observed = hooks.observe("event", { event })
    await expect.poll(() => told).toEqual([event])

    await observed
    expect(messages()).toEqual([
      'Plugin "acme" failed in hook "event": broken',
      'Plugin "late" failed in hook "event": it took longer than 300 ms',
    ])
  })

  it("tells a plugin of one event after the other, and another plugin meanwhile", async () => {
    const slow: string[] = []
    const quick: string[] = []
    const { promise: quickIsThrough, resolve } = Promise.withResolvers<void>()
    const { hooks, failures } = await load({
      slow: {
        event: async ({ event: { id } }) => {
          slow.push(`begin ${id}`)
          await quickIsThrough
          slow.push(`end ${id}`)
        },
      },
      quick: {
        event: ({ event: { id } }) => {
          if (quick.push(id) === 3) resolve()
        },
      },
    })
    await Promise.all(["1", "2", "3"].map((id) => hooks.observe("event", { event: { ...event, id } })))
    expect([quick, failures]).toEqual([["1", "2", "3"], []])
    expect(slow).toEqual(["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
  })

  it("says once that a plugin is behind, and does not count it as a failure", async () => {
    const told: string[] = []
    const { hooks, messages, disabled } = await load({ slow: { event: ({ event: { id } }) => void told.push(id) } })
    const observed = Array.from({ length: 5_000 }, (_, n) => {
      return hooks.observe("event", { event: { ...event, id: `${n}` } })
    })
    await Promise.all(observed)

    expect(messages()).toEqual([
      'Plugin "slow" failed in hook "event": more than 1000 events wait for it: the oldest are left out, deltas first, until it has caught up',
    ])
    expect([told.length, told.at(-1), disabled]).toEqual([1_001, "4999", []])
  })

  it("is told of the events that wait before it is disposed", async () => {
    const told: string[] = []
    const { hooks, failures } = await load({
      acme: {
        event: async ({ event: { id } }) => {
          await new Promise((resolve) => setTimeout(resolve, 2))
          told.push(id)
        },
        dispose: () => void told.push("dispose"),
      },
    })
    for (const id of ["1", "2", "3"]) void hooks.observe("event", { event: { ...event, id } })
    await hooks.close()
    expect(told).toEqual(["1", "2", "3", "dispose"])
    expect(failures).toEqual([])
  })

  it("is disposed after a deadline, though events still wait", async () => {
    const told: string[] = []
    const { hooks, messages } = await load({
      acme: {
        event: async ({ event: { id } }) => {
          told.push(id)
          await new Promise((resolve) => setTimeout(resolve, 15))
        },
        dispose: () => void told.push("dispose"),
      },
    })
    for (let n = 0; n < 50; n++) void hooks.observe("event", { event: { ...event, id: `${n}` } })
    await hooks.close()
    expect(told.at(-1)).toBe("dispose")
    expect(messages()).toEqual([expect.stringMatching(/"event": \d+ events still waited for it after 300 ms$/)])
    const count = told.length
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(told).toHaveLength(count)
  })

  it("never rejects", async () => {
    const { hooks } = await load({ acme: { dispose: broken } })
    await expect(hooks.close()).resolves.toBeUndefined()
  })
})

describe("names", () => {
  it("work with and without `experimental.`", async () => {
    const { hooks } = await load({
      plain: { "text.complete": (_input, output) => void (output.text += " plain") },
      prefixed: { "experimental.text.complete": (_input, output) => void (output.text += " prefixed") },
    })
    expect(await transform.run(hooks)).toBe("draft plain prefixed")
  })

  it("given in both forms are one handler: the one without the prefix", async () => {
    const handlers: [string, (input: unknown, output: { text: string }) => void][] = [
      ["text.complete", (_input, output) => void (output.text += " plain")],
      ["experimental.text.complete", (_input, output) => void (output.text += " prefixed")],
    ]
    for (const given of [handlers, handlers.toReversed()]) {
      const { hooks } = await load({ both: Object.fromEntries(given) })
      expect(await transform.run(hooks)).toBe("draft plain")
    }
  })

  it("of methods are found in an instance of a class", async () => {
    class Plugin {
      readonly #word = "method"
      "text.complete"(_input: unknown, output: { text: string }) {
        output.text += ` ${this.#word}`
      }
    }
    const { hooks, failures } = await load({ acme: new Plugin() })
    expect(await transform.run(hooks)).toBe("draft method")
    expect(failures).toEqual([])
  })

  it("that are unknown are left alone, and values that are not functions are reported and left out", async () => {
    const odd = {
      "future.hook": broken,
      "text.complete": "no function",
      "experimental.also.unknown": 1,
    } as unknown as PluginHooks
    const { hooks, failures } = await load({ odd, good: transform.hook((draft) => void (draft.text += " good")) })
    expect(await transform.run(hooks)).toBe("draft good")
    expect(failures.map(({ message }) => message)).toEqual([
      'Plugin "odd" failed in hook "text.complete": expected a function, found "no function"',
    ])
  })

  it.each<[unknown, string[]]>([
    [undefined, []],
    [null, []],
    ["hooks", ['Plugin "odd" failed in hook "start": it returned "hooks"; expected an object of hooks']],
    [7, ['Plugin "odd" failed in hook "start": it returned 7; expected an object of hooks']],
  ])("are none in %j, and the other plugins run", async (value, messages) => {
    const { hooks, failures } = await load({
      odd: value as PluginHooks,
      good: transform.hook((draft) => void (draft.text += " good")),
    })
    expect(await transform.run(hooks)).toBe("draft good")
    expect(failures.map(({ message }) => message)).toEqual(messages)
  })
})

it("knows for each hook whether anyone takes part", async () => {
  const { hooks } = await load({
    a: { "text.complete": () => {} },
    b: { "experimental.chat.system.transform": () => {} },
  })
  expect(hooks.has("text.complete")).toBe(true)
  expect(hooks.has("chat.system.transform")).toBe(true)
  expect(hooks.has("event")).toBe(false)
})

it("gathers the tools of all plugins in their order", async () => {
  const tool = (description: string) => ({ read: testTool("read", async () => "", { description }) })
  const [first, second] = [tool("first"), tool("second")]
  const { hooks } = await load([
    { id: "a", plugin: () => ({ tool: second }) },
    { id: "none", plugin: () => ({}) },
    { id: "b", plugin: () => ({ tool: first }), priority: 1 },
  ])
  const offered = (await hooks.tools(toolScope())).flatMap(({ plugin, tools }) =>
    tools.map(({ name, description }) => [plugin, name, description]),
  )
  expect(offered).toEqual([
    ["b", "read", "first"],
    ["a", "read", "second"],
  ])
})

describe("starting", () => {
  it("hands each plugin its options, one after the other in their order", async () => {
    const started: unknown[] = []
    const entry = (id: string, priority: number, options?: Record<string, unknown>): PluginEntry => ({
      id,
      priority,
      ...(options ? { options } : {}),
      plugin: async (input) => {
        started.push(["begin", id, input.options])
        await new Promise((resolve) => setTimeout(resolve, 1))
        started.push(["end", id])
        return {}
      },
    })
    await load([entry("second", 0), entry("first", 1, { level: 3 })])
    expect(started).toEqual([
      ["begin", "first", { level: 3 }],
      ["end", "first"],
      ["begin", "second", {}],
      ["end", "second"],
    ])
  })

  it.each<[string, unknown, RegExp]>([
    ["throws", broken, /^Plugin "acme" failed in hook "start": broken$/],
    ["rejects", () => Promise.reject(new Error("broken")), /broken$/],
    ["does not end", never, /did not start in time$/],
    ["is no function", {}, /^Plugin "acme" failed in hook "start": /],
  ])("a plugin that %s is reported and left out; the others take part", async (_what, plugin, message) => {
    const { hooks, messages } = await load([
      { id: "acme", plugin: plugin as PluginEntry["plugin"] },
      { id: "good", plugin: () => transform.hook((draft) => void (draft.text += " good")) },
    ])
    expect(messages()).toEqual([expect.stringMatching(message)])
    expect(await transform.run(hooks)).toBe("draft good")
  })
})

it("keeps two engines apart", async () => {
  const { hooks } = await load({ a: transform.hook((draft) => void (draft.text += " a")) })
  const { hooks: other } = await load({ b: transform.hook((draft) => void (draft.text += " b")) })
  expect([await transform.run(hooks), await transform.run(other)]).toEqual(["draft a", "draft b"])
})

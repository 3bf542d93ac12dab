import { describe, expect, it } from "vitest"
import { aboutText as about, pluginsAlone } from "../../test/load-hooks.ts"
import { defaultDeadlines } from "../base/deadlines.ts"
import type { PluginHooks } from "./plugin.ts"
import type { PluginEntry } from "../plugin.ts"

const idle = { id: "evt_1", type: "session.idle", properties: { sessionID: "ses_1" } } as const

/** A plugin that writes its word into texts, and a log of what becomes of it. */
function world() {
  const log: string[] = []
  const failures: string[] = []
  const plugins = pluginsAlone(
    { ...defaultDeadlines, guardHook: 100, transformHook: 100 },
    { failed: ({ message }) => void failures.push(message), disabled: () => undefined },
  )
  const entry = (id: string, word: string, more: Partial<PluginEntry> & { hooks?: PluginHooks } = {}): PluginEntry => {
    const { hooks, ...rest } = more
    const own: PluginHooks = {
      "text.complete": (_input, output) => void (output.text += ` ${word}`),
      dispose: () => void log.push(`dispose ${word}`),
      ...hooks,
    }
    return { id, plugin: () => (log.push(`start ${word}`), own), ...rest }
  }
  const text = async (hooks = plugins.hooks) =>
    (await hooks.transform("text.complete", about, { text: "" })).text.trim()
  return { plugins, log, failures, entry, text }
}

describe("setting the plugins", () => {
  it("starts what is new, leaves what stays, and disposes what is gone", async () => {
    const { plugins, log, entry, text } = world()
    const [a, b, c] = [entry("a", "a"), entry("b", "b"), entry("c", "c")]
    await plugins.set([a, b])
    await plugins.set([b, c])
    expect(await text()).toBe("b c")
    await expect.poll(() => log.toSorted()).toEqual(["dispose a", "start a", "start b", "start c"])
  })

  it("replaces one by another of the same id at its place, and disposes the old one once", async () => {
    const { plugins, log, entry, text } = world()
    const [a, c] = [entry("a", "a"), entry("c", "c")]
    await plugins.set([a, entry("b", "old"), c])
    await plugins.set([a, entry("b", "new"), c])
    expect(await text()).toBe("a new c")
    await plugins.close()
    expect(log.filter((line) => line.startsWith("dispose")).toSorted()).toEqual([
      "dispose a",
      "dispose c",
      "dispose new",
      "dispose old",
    ])
    expect(log.indexOf("start new")).toBeLessThan(log.indexOf("dispose old"))
  })

  it("keeps the old one where the new one does not start, tells so, and tries again with the next list", async () => {
    const { plugins, log, failures, entry, text } = world()
    const broken: PluginEntry = { id: "a", plugin: () => Promise.reject(new Error("a typo")) }
    await plugins.set([entry("a", "old")])
    const problems = await plugins.set([broken])
    expect(problems).toEqual([{ plugin: "a", message: expect.stringContaining("a typo") as string }])
    expect(failures).toHaveLength(1)
    expect([await text(), log]).toEqual(["old", ["start old"]])
    await plugins.set([entry("a", "mended")])
    expect([await text(), plugins.problems.size]).toEqual(["mended", 0])
  })

  it("orders by priority, then as given; what stays may come to another place", async () => {
    const { plugins, entry, text } = world()
    const [a, b, c] = [entry("a", "a"), entry("b", "b", { priority: 1 }), entry("c", "c")]
    await plugins.set([a, b, c])
    expect(await text()).toBe("b a c")
    await plugins.set([c, a, b])
    expect(await text()).toBe("b c a")
  })

  it("takes the first of two with the same id", async () => {
    const { plugins, entry, text } = world()
    const problems = await plugins.set([entry("a", "first"), entry("a", "second")])
    expect(await text()).toBe("first")
    expect(problems).toMatchObject([{ plugin: "a", message: expect.stringContaining("same id") as string }])
  })

  it("lets each plugin take part as soon as it has started", async () => {
    const { plugins, entry, text } = world()
    let seen = ""
    const asking: PluginEntry = {
      id: "asking",
      async plugin() {
        seen = await text()
        return {}
      },
    }
    await plugins.set([entry("a", "a"), asking, entry("b", "b")])
    expect(seen).toBe("a")
  })

  it("happens in the order in which it was asked for", async () => {
    const { plugins, entry, text } = world()
    const slow: PluginEntry = {
      id: "slow",
      plugin: async () => (
        await new Promise((resolve) => setTimeout(resolve, 20)),
        entry("", "slow").plugin({} as never)
      ),
    }
    const first = plugins.set([slow])
    const second = plugins.set([entry("b", "b")])
    await Promise.all([first, second])
    expect(await text()).toBe("b")
  })

  it("disposes a plugin that starts too late once it has", async () => {
    const { plugins, log, entry } = world()
    const { promise, resolve } = Promise.withResolvers<PluginHooks>()
    await plugins.set([{ id: "late", plugin: () => promise }])
    expect(plugins.instances()).toEqual([])
    resolve(await entry("late", "late").plugin({} as never))
    await expect.poll(() => log).toEqual(["start late", "dispose late"])
  })
})

describe("a plugin that is replaced while it works", () => {
  it("ends its calls before it is disposed", async () => {
    const { plugins, log, entry, text } = world()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const slow: PluginHooks = {
      async "text.complete"(_input, output) {
        await gate
        output.text += " old"
      },
    }
    await plugins.set([entry("a", "old", { hooks: slow })])
    const under = text()
    await plugins.set([entry("a", "new")])
    expect(await text()).toBe("new")
    expect(log).not.toContain("dispose old")
    open()
    expect(await under).toBe("old")
    await expect.poll(() => log).toContain("dispose old")
  })

  it("stays for those who hold it, and they keep the new one away", async () => {
    const { plugins, log, entry, text } = world()
    await plugins.set([entry("a", "old")])
    const held = plugins.hooks.hold()
    await plugins.set([entry("a", "new")])
    expect([await text(held), await text()]).toEqual(["old", "new"])
    expect(log).not.toContain("dispose old")
    held.release()
    held.release()
    await expect.poll(() => log.filter((line) => line === "dispose old")).toHaveLength(1)
    expect(plugins.hooks.hold().version).toBeGreaterThan(held.version)
  })

  it("tells each event to one of both, the old one finishing those that came before", async () => {
    const { plugins, entry } = world()
    const told: string[] = []
    const listening = (word: string): PluginHooks => ({
      async event({ event }) {
        await new Promise((resolve) => setImmediate(resolve))
        told.push(`${word} ${event.id}`)
      },
    })
    await plugins.set([entry("a", "1", { hooks: listening("1") })])
    const observed: Promise<void>[] = []
    for (let n = 1; n <= 20; n++) {
      observed.push(plugins.hooks.observe("event", { event: { ...idle, id: `${n}` } }))
      if (n % 5 === 0) await plugins.set([entry("a", `${n}`, { hooks: listening(`${n + 1}`) })])
    }
    await Promise.all(observed)
    await plugins.close()
    expect(told.map((line) => Number(line.split(" ")[1])).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    )
    expect(told.filter((line) => line.startsWith("1 "))).toEqual(["1 1", "1 2", "1 3", "1 4", "1 5"])
    expect(told.filter((line) => line.startsWith("6 "))).toEqual(["6 6", "6 7", "6 8", "6 9", "6 10"])
  })

  it("is disposed with all others when the engine closes, whoever still holds it", async () => {
    const { plugins, log, entry } = world()
    await plugins.set([entry("a", "old")])
    plugins.hooks.hold()
    await plugins.set([entry("a", "new")])
    await plugins.close()
    expect(log.filter((line) => line.startsWith("dispose")).toSorted()).toEqual(["dispose new", "dispose old"])
    await plugins.set([entry("b", "b")])
    expect(log).not.toContain("start b")
  })

  it("cannot say any more that something has changed", async () => {
    const { plugins, entry } = world()
    const changes: (() => void)[] = []
    const telling = (): PluginEntry => ({ id: "a", plugin: ({ changed }) => (changes.push(changed), {}) })
    await plugins.set([telling()])
    const version = () => {
      const held = plugins.hooks.hold()
      held.release()
      return held.version
    }
    const before = version()
    changes[0]?.()
    expect(version()).toBe(before + 1)
    await plugins.set([telling(), entry("b", "b")])
    const after = version()
    changes[0]?.()
    expect(version()).toBe(after)
  })
})

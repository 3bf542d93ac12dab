import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import type { PluginHooks } from "./plugin.ts"
import type { PluginEntry } from "../plugin.ts"

const COUNT = 1_000

/** Calls `look` until it was called so many times. */
function looking(times: number) {
  let calls = 0
  return answeringModel(() => (calls++ < times ? [called("look", { at: calls }, `call_${calls}`)] : said("Done.")))
}

describe("a thousand new versions of a plugin while a session runs", () => {
  it("lose no event and no call, tell nothing twice, and leave nothing behind", async () => {
    const told: string[] = []
    const before: string[] = []
    const after: string[] = []
    const executed: number[] = []
    const live = new Set<number>()
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
    const version = (n: number): PluginEntry => ({
      id: "reloaded",
      plugin() {
        live.add(n)
        const pairs = new Set<string>()
        const hooks: PluginHooks = {
          event: ({ event }) => void told.push(event.id),
          "tool.execute.before"({ callID }) {
            pairs.add(callID)
            before.push(callID)
          },
          "tool.execute.after"({ callID, status }) {
            // It was this version that was told of the beginning.
            expect(pairs.has(callID)).toBe(true)
            after.push(`${callID} ${status}`)
          },
          dispose: () => void live.delete(n),
          tool: () => ({
            look: testTool("look", async () => {
              executed.push(n)
              expect(live.has(n)).toBe(true)
              await new Promise((resolve) => setImmediate(resolve))
              expect(live.has(n)).toBe(true)
              return `seen by ${n}`
            }),
          }),
        }
        return hooks
      },
    })
    const steps = 60
    await using test = await testEngine({ model: looking(steps), plugins: [version(0)] })
    const { engine } = test
    const timersBefore = timers()

    const run = test.ask("Look.")
    for (let n = 1; n <= COUNT; n++) {
      expect(await engine.plugins.set([version(n)])).toEqual([])
      if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await run).toMatchObject({ type: "answered" })

    const ids = Array.from({ length: steps }, (_, n) => `call_${n + 1}`)
    expect([before, after]).toEqual([ids, ids.map((id) => `${id} completed`)])
    expect(executed).toHaveLength(steps)
    expect(new Set(executed).size).toBeGreaterThan(10)
    expect((await test.parts("tool")).every(({ state }) => state.status === "completed")).toBe(true)

    await expect.poll(() => [...live]).toEqual([COUNT])
    // That the session was created was told before the test listened.
    await expect.poll(() => told.length).toBe(test.events.length + 1)
    expect(told.toSorted().slice(1)).toEqual(test.events.map(({ id }) => id))
    expect(test.events.filter(({ type }) => type.startsWith("plugin."))).toEqual([])
    expect(timers()).toBeLessThanOrEqual(timersBefore + 1)
    expect(engine.plugins.report()).toHaveLength(1)
  })

  it("leave nothing in memory but the newest", async () => {
    const refs: WeakRef<PluginHooks>[] = []
    const version = (): PluginEntry => ({
      id: "heavy",
      plugin({ engine }) {
        const ballast = Array.from({ length: 1_000 }, () => 1)
        const look = testTool("look", async () => `${engine.plugins.report().length} ${ballast[0]}`)
        const hooks: PluginHooks = { event: () => void ballast.length, tool: () => ({ look }) }
        refs.push(new WeakRef(hooks))
        return hooks
      },
    })
    await using test = await testEngine({ model: looking(20), plugins: [version()] })
    const run = test.ask("Look.")
    for (let n = 0; n < COUNT; n++) await test.engine.plugins.set([version()])
    expect(await run).toMatchObject({ type: "answered" })
    await expect.poll(() => (collectGarbage(), refs.filter((ref) => ref.deref()).length)).toBeLessThan(5)
  })
})

/** Node offers it behind a flag, which can be set while it runs. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
}

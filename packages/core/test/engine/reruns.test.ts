import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { answeringModel } from "../answering-model.ts"
import { testEngine, testTool } from "../engine-fixture.ts"
import { dying } from "../storages.ts"
import { called, said } from "../streaming-model.ts"
import { ToolInputError } from "../../src/base/errors.ts"
import type { PluginEntry } from "../../src/plugin.ts"
import type { PermissionRule, Session, ToolPart } from "../../src/record/message.ts"
import type { Effect, Tool } from "../../src/contracts/tool.ts"
import { MAX_RERUNS } from "../../src/record/resumable.ts"

interface World {
  readonly effect: Effect
  readonly calls?: number
  readonly plugins?: readonly PluginEntry[]
}

/** A session whose process dies while `work` runs. */
async function interrupted({ effect, calls = 1, plugins = [] }: World) {
  const storage = memoryStorage()
  const executed: string[] = []
  const model = answeringModel(({ request }) => {
    if (request.messages.at(-1)?.role === "tool") return said("Done.")
    return Array.from({ length: calls }, (_, at) => called("work", { at }, `call_${at}`))
  })
  let isDead = false
  const work = (dies: boolean, more: Partial<Tool<Record<string, unknown>>> = {}) =>
    testTool(
      "work",
      async (_input, { idempotencyKey }) => {
        executed.push(idempotencyKey)
        isDead ||= dies
        return "Worked."
      },
      { effect, ...more },
    )
  const mortal = () => {
    isDead = false
    return dying(storage, () => isDead)
  }
  const tools = [work(true)]
  const first = await testEngine({ model, tools, plugins, storage: mortal() })
  const { session } = first
  await first.ask("Begin").catch(() => undefined)
  await first.engine.close()
  const options = { model, storage, session, plugins } as const
  return {
    ...{ storage, session, executed, model, work },
    /** Another process that dies while the call runs. */
    dieAgain: async () => {
      const next = await testEngine({ ...options, storage: mortal(), tools: [work(true)] })
      await next.engine.resume(session.id).catch(() => undefined)
      await next.engine.close()
    },
    goOn: async (tool: readonly Tool[] = [work(false)], permission: readonly PermissionRule[] = []) => {
      const next = await testEngine({ ...options, tools: tool, permission: [{ name: "test", rules: permission }] })
      const result = await next.engine.resume(session.id)
      await next.engine.close()
      return { result, parts: await callsIn(storage, session) }
    },
  }
}

async function callsIn(storage: ReturnType<typeof memoryStorage>, { id }: Session): Promise<ToolPart[]> {
  const { messages } = await storage.readContext(id)
  return messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

describe("a call that was interrupted while it ran", () => {
  it.each(["pure", "idempotent"] as const)("runs again under the same key if it is %s", async (effect) => {
    const { executed, goOn, model } = await interrupted({ effect })

    const { result, parts } = await goOn()

    expect(result).toMatchObject({ type: "answered" })
    expect(executed).toHaveLength(2)
    expect(new Set(executed).size).toBe(1)
    expect(parts).toMatchObject([{ state: { status: "completed", output: "Worked." }, metadata: { reruns: 1 } }])
    expect(JSON.stringify(model.requests.at(-1))).toContain("Worked.")
  })

  it("never runs again if it is unsafe", async () => {
    const { executed, goOn } = await interrupted({ effect: "unsafe", calls: 3 })
    const { parts } = await goOn()
    expect(executed.length).toBeGreaterThan(0)
    expect(executed).toHaveLength(new Set(executed).size)
    expect(new Set(parts.map(({ state }) => state.status))).toEqual(new Set(["error"]))
  })

  it("becomes an error when its process has died often enough", async () => {
    const { executed, dieAgain, goOn, model } = await interrupted({ effect: "pure" })
    for (let at = 0; at < MAX_RERUNS + 3; at++) await dieAgain()

    const { parts } = await goOn()

    expect(executed).toHaveLength(1 + MAX_RERUNS)
    expect(parts).toMatchObject([{ state: { status: "error", error: expect.stringContaining("3 times") } }])
    expect(JSON.stringify(model.requests.at(-1))).toContain("do not repeat it unchanged")
  })

  it.each<[string, string, (work: (dies: boolean, more?: object) => Tool) => readonly Tool[]]>([
    ["no longer exists", 'There is no tool \\"work\\"', () => []],
    ["is unsafe by now", "Look at what it did", (work) => [work(false, { effect: "unsafe" })]],
    [
      "does not take the arguments any more",
      "Name a place.",
      (work) => [
        work(false, {
          parse() {
            throw new ToolInputError("Name a place.")
          },
        }),
      ],
    ],
  ])("becomes an error if its tool %s", async (_what, error, toolsOf) => {
    const { executed, goOn, work, model } = await interrupted({ effect: "pure" })
    const { result, parts } = await goOn(toolsOf(work))
    expect(result).toMatchObject({ type: "answered" })
    expect(executed).toHaveLength(1)
    expect(parts).toMatchObject([{ state: { status: "error" } }])
    expect(JSON.stringify(model.requests.at(-1))).toContain(error)
  })

  it("is judged again: what is denied by now does not run", async () => {
    const { executed, goOn } = await interrupted({ effect: "pure" })
    const { parts } = await goOn(undefined, [{ permission: "work", pattern: "*", action: "deny" }])
    expect(executed).toHaveLength(1)
    expect(parts).toMatchObject([{ state: { status: "error" } }])
  })

  it("is shown to guards before each run, and its end once", async () => {
    const seen: string[] = []
    const plugins: PluginEntry[] = [
      {
        id: "watch",
        plugin: async () => ({
          "tool.execute.before": ({ callID }) => void seen.push(`before ${callID}`),
          "tool.execute.after": ({ callID, status }) => void seen.push(`after ${callID} ${status}`),
        }),
      },
    ]
    const { goOn, dieAgain } = await interrupted({ effect: "pure", plugins })
    await dieAgain()
    seen.length = 0
    await goOn()
    expect(seen).toEqual(["before call_0", "after call_0 completed"])
  })

  it("is settled by a run that only compacts, which runs no calls", async () => {
    const { session, storage, executed, model, work } = await interrupted({ effect: "pure" })
    const next = await testEngine({ model, storage, session, tools: [work(false)] })
    await next.engine.compact(session.id)
    await next.engine.close()
    expect(executed).toHaveLength(1)
    const [call] = await callsIn(storage, session)
    expect(call).toMatchObject({ state: { status: "error", error: expect.stringContaining("safe to call again") } })
  })
})

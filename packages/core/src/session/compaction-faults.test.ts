import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { allStorages } from "../../test/storages.ts"
import { calls, said, textOf, windowModel } from "../../test/window-model.ts"
import { compactionsOf } from "../context/compaction/record.ts"
import type { ModelRequest } from "../provider/model.ts"
import type { Storage } from "../storage/storage.ts"
import { collected } from "./collected.ts"
import type { Session } from "./message.ts"

const look = testTool("look", async (input) => `${String(input["at"])}: ${"x".repeat(3000)}`, { effect: "pure" })
const write = testTool("write", async (input) => `Wrote ${String(input["path"])}.`, {
  async execute(input) {
    const path = String(input["path"])
    return { title: path, output: `Wrote ${path}.`, metadata: { filepath: path, diff: "+", hash: `hash of ${path}` } }
  },
})

const agent = (steps: number) => (_request: ModelRequest, n: number) => {
  return n % (steps + 1) === steps ? said(`Done after ${steps}.`) : calls("look", { at: `place ${n}` }, `call_${n}`)
}

/** Every commit from the nth on fails, as it does for a process that has been killed. */
function dying(storage: Storage, after: number): Storage & { readonly commits: () => number } {
  let commits = 0
  return Object.assign(Object.create(storage) as Storage, {
    commits: () => commits,
    commit: (...input: Parameters<Storage["commit"]>) => {
      if (commits++ >= after) throw new Error("The process is dead.")
      return storage.commit(...input)
    },
  })
}

describe.each(allStorages)("a compaction that is killed, over $name", ({ open }) => {
  it("leaves the history complete and at most one summary for a marker, wherever it was, and the next prompt works", async () => {
    let kills = 0
    let compactions = 0
    for (let after = 1; ; after++) {
      const storage = await open()
      const model = windowModel({ context: 12_000, agent: agent(16) })
      let session: Session | undefined
      let outputs = 0
      {
        const mortal = dying(storage, after)
        await using test = await testEngine({ model, tools: [look], storage: mortal })
        session = test.session
        const ended = await test.ask("Look everywhere. The word is XYZZY.").catch(() => undefined)
        compactions = test.events.filter(({ type }) => type === "session.compacted").length
        if (ended) break
        kills++
        outputs = await countOutputs(storage, session)
      }
      await using test = await testEngine({
        model: windowModel({ context: 12_000, agent: agent(16) }),
        tools: [look],
        storage,
        session,
      })
      const result = await test.ask("Go on.")
      expect(result.type, `killed at commit ${after}`).toBe("answered")
      expect(await countOutputs(storage, session)).toBeGreaterThanOrEqual(outputs)
      const all = await history(storage, session)
      for (const { marker } of compactionsOf(all)) {
        const own = all.filter(({ info }) => info.role === "assistant" && info.parentID === marker.info.id)
        expect(own.length).toBeLessThanOrEqual(1)
      }
    }
    expect(kills).toBeGreaterThan(20)
    expect(compactions).toBeGreaterThan(0)
  }, 60_000)
})

describe("ten compactions in a row with a summarizer that writes garbage", () => {
  it("keep pinned notes, the open request, the agent, the model and every modified path", async () => {
    const paths = Array.from({ length: 12 }, (_, at) => `/src/module-${at}.ts`)
    let step = 0
    const model = windowModel({
      context: 40_000,
      agent: () => {
        const at = step++
        return at < paths.length ? calls("write", { path: paths[at] }, `call_${at}`) : said("Written.")
      },
      summarizer: (_request, n) => "garbage ".repeat(30 + n),
    })
    await using test = await testEngine({ model, tools: [look, write] })
    const pin = { id: "pin_1", text: "Never touch `legacy/`: Ümläut ✂ exact.", time: { created: 1 } }
    await test.storage.commit(test.session.id, [{ type: "session.patch", changes: { pins: [pin] } }])
    await test.ask("Write all modules,\n  exactly as I say.")
    const states: string[] = []
    for (let round = 0; round < 10; round++) {
      await test.engine.compact(test.session.id)
      await test.ask(`Round ${round}?`)
      const request = model.asked.at(-1) as ModelRequest
      const state = request.messages[2]
      const texts =
        state?.role === "user" ? state.content.flatMap((item) => (item.type === "text" ? [item.text] : [])) : []
      // What the user said grows by each round.
      const said = texts.filter((text) => text.startsWith("What the user said so far"))
      expect(said.join()).toContain("Write all modules, exactly as I say.")
      states.push(texts.filter((text) => !said.includes(text)).join("\n"))
      expect(textOf(request)).toContain(`Round ${round}?`)
      for (const path of paths) expect(states.at(-1)).toContain(path)
      expect(states.at(-1)).toContain(pin.text)
      expect(states.at(-1)).toContain('the agent "build" on test/window')
    }
    expect(new Set(states).size).toBe(1)
  })
})

describe("a history of a million tokens", () => {
  it("is compacted by a summarizer with a window of 8,000", async () => {
    const small = windowModel({ context: 8000, providerID: "small", agent: () => said("Never asked.") })
    const large = windowModel({ context: 2_000_000, agent: agent(400) })
    await using test = await testEngine(
      {
        model: large,
        tools: [
          testTool("look", async (input) => `${String(input["at"])}: ${"word ".repeat(2000)}`, { effect: "pure" }),
        ],
        agents: [{ name: "compaction", model: { providerID: "small", modelID: "window" } }],
        outputLimits: { bytes: 20_000, lines: 2000 },
      },
      small,
    )
    await test.ask("Look everywhere.")
    const before = large.asked.at(-1) as ModelRequest
    expect(Buffer.byteLength(textOf(before))).toBeGreaterThan(4_000_000)

    const result = await test.engine.compact(test.session.id)

    expect(result).toMatchObject({ type: "compacted", outcome: { type: "applied" } })
    expect(small.summaries.length).toBeGreaterThan(0)
    expect(small.summaries.length).toBeLessThanOrEqual(3)
    const told = test.events.flatMap((event) => (event.type === "session.compacted" ? [event.properties] : []))
    expect(told[0]?.strategy).toBe("summary")
  }, 60_000)
})

async function history(storage: Storage, session: Session) {
  return (await collected(storage.readMessages(session.id))).toReversed()
}

async function countOutputs(storage: Storage, session: Session): Promise<number> {
  const all = await history(storage, session)
  return all.flatMap(({ parts }) => parts.filter((part) => part.type === "tool")).length
}

import { call, reasoning, reply, requestPrefix, text, usage } from "@pawl/model-server"
import { expect } from "vitest"
import { finishOf } from "../events.ts"
import { toHistory, user } from "../samples.ts"
import { type SpecContext, type ModelUnderTest, section } from "../section.ts"

const steps = 5

/** A conversation of five steps, each of which the model ends with a call. */
async function converse({ start }: SpecContext): Promise<ModelUnderTest> {
  const scene = await start(() => reply(reasoning("Hm."), call("read", { path: "a", offset: 1 })))
  const messages = [user("Grüße 👋")]
  const system = ["You are a test.", "It is a fine day."]
  for (let step = 0; step < steps; step++) {
    messages.push(...toHistory(await scene.ask({ system, messages: [...messages] }), `line ${step}\n"quoted"`))
  }
  return scene
}

function pairs<T>(items: readonly T[]): [T, T][] {
  return items.slice(1).map((newer, index) => [items[index] as T, newer])
}

export const stablePrefix = section("stable prefix", {
  "says again what it said before, and adds to it": async (place) => {
    const { sent } = await converse(place)
    const views = Array.from({ length: steps }, (_, index) => sent(index))
    for (const [older, newer] of pairs(views)) {
      expect(newer.system).toEqual(older.system)
      expect(newer.tools).toEqual(older.tools)
      expect(newer.turns.slice(0, older.turns.length)).toEqual(older.turns)
      expect(newer.turns.length).toBe(older.turns.length + 2)
    }
  },
  "is the same for a provider that is new": async (place) => {
    const [one, two] = [await converse(place), await converse(place)]
    expect(one.server.requests.at(-1)?.body).toEqual(two.server.requests.at(-1)?.body)
  },
})

export const messagePrefix = section(
  "bytes of a prefix",
  {
    "are those of the request before": async (place) => {
      const { server } = await converse(place)
      for (const [older, newer] of pairs(server.requests)) expect(requestPrefix(older.raw, newer.raw)).toBeUndefined()
    },
  },
  { needs: "message prefix" },
)

export const cacheMarks = section(
  "cache marks",
  {
    "stand behind the system prompt and the last two of the user's turns": async (place) => {
      const { sent } = await converse(place)
      expect(sent(0).marks).toEqual(["system", 0])
      expect(sent(1).marks).toEqual(["system", 0, 2])
      expect(sent(4).marks).toEqual(["system", 6, 8])
    },
    "show in what an answer costs": async ({ start }) => {
      const counts = usage({ inputTokens: 100, outputTokens: 5, cachedTokens: 60, cacheWriteTokens: 30 })
      const { ask } = await start([reply(text("Hi"), counts)])
      const { input, cache } = finishOf(await ask()).usage
      expect({ input, cache }).toEqual({ input: 10, cache: { read: 60, write: 30 } })
    },
    "stand again where the request before had its last one": async (place) => {
      const { sent } = await converse(place)
      const views = Array.from({ length: steps }, (_, index) => sent(index))
      for (const [older, newer] of pairs(views)) expect(newer.marks).toContain(older.marks.at(-1))
    },
  },
  { needs: "cache marks" },
)

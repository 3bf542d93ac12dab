import { call, reasoning, reply, text } from "@pawl/model-server"
import { expect } from "vitest"
import { blocksOf, reasoningOf, textOf } from "../events.ts"
import { toHistory, user } from "../samples.ts"
import { section } from "../section.ts"

export const reasoningTexts = section(
  "reasoning",
  {
    "is told apart from what is said, and comes in its pieces": async ({ start }) => {
      const { ask } = await start([reply(reasoning(["H", "m. ä👋"]), text("Yes."))])
      const events = await ask()
      expect([reasoningOf(events), textOf(events)]).toEqual(["Hm. ä👋", "Yes."])
      const blocks = blocksOf(events)
      expect(blocks.map(({ type }) => type)).toEqual(["reasoning", "text"])
      expect(blocks.map((block) => [block.events[0], block.events.at(-1)])).toEqual([
        ["start", "end"],
        ["start", "end"],
      ])
      expect(events.filter(({ type }) => type === "reasoning-delta").length).toBeGreaterThanOrEqual(2)
    },
    "may stand before a call, and goes on behind its result": async ({ start }) => {
      const { ask } = await start([reply(reasoning("Hm."), call("read", { path: "a" })), reply(text("Done."))])
      const first = [user("Look."), ...toHistory(await ask({ messages: [user("Look.")] }))]
      expect(textOf(await ask({ messages: first }))).toBe("Done.")
    },
  },
  { needs: "reasoning that shows" },
)

export const signedReasoning = section(
  "signed reasoning",
  {
    "goes back with its signature": async ({ start }) => {
      const answer = reply(reasoning("Hm.", { signature: "c2lnbmVk" }), call("read", { path: "a" }))
      const { ask, sent } = await start([answer, reply(text("Done."))])
      const messages = [user("Look."), ...toHistory(await ask({ messages: [user("Look.")] }))]
      await ask({ messages })
      const signatures = sent(1).turns[1]?.parts.flatMap((part) => (part.type === "reasoning" ? [part.signature] : []))
      expect(signatures?.filter((signature) => signature !== undefined)).toEqual(["c2lnbmVk"])
    },
    "goes back with its signature when it has no text": async ({ start }) => {
      const answer = reply(reasoning("", { signature: "c2lsZW50" }), call("read", { path: "a" }))
      const { ask, sent } = await start([answer, reply(text("Done."))])
      const messages = [user("Look."), ...toHistory(await ask({ messages: [user("Look.")] }))]
      await ask({ messages })
      const signatures = sent(1).turns[1]?.parts.flatMap((part) => (part.type === "reasoning" ? [part.signature] : []))
      expect(signatures).toContain("c2lsZW50")
    },
    "of each step goes back with that step": async ({ start }) => {
      const step = (n: number) => reply(reasoning(`${n}`, { signature: `c2ln${n}AA=` }), call("read", { path: `${n}` }))
      const { ask, sent } = await start([step(1), step(2), reply(text("Done."))])
      const messages = [user("Look.")]
      for (let n = 0; n < 2; n++) messages.push(...toHistory(await ask({ messages: [...messages] })))
      await ask({ messages })
      const signatures = sent(2).turns.map(({ parts }) =>
        parts.flatMap((part) => (part.type === "reasoning" && part.signature !== undefined ? [part.signature] : [])),
      )
      expect(signatures).toEqual([[], ["c2ln1AA="], [], ["c2ln2AA="], []])
    },
  },
  { needs: "signed reasoning" },
)

import { expect } from "vitest"
import { messageID, partID, sessionID } from "../samples.ts"
import { search, storeTexts, textPart } from "../searching.ts"
import { section } from "../section.ts"
import { putPart } from "../writes.ts"

const session = sessionID(1)
const [first, second] = [partID(1), partID(2)]

export const searchAcrossHandles = section(
  "search across handles",
  {
    "finds what another handle committed, however often it has searched before": async ({ storage, reopen }) => {
      const other = await reopen()
      for (const number of [1, 2, 3]) {
        expect(await search(storage, "needle")).toHaveLength(number - 1)
        await storeTexts(other, sessionID(number), ["needle"])
      }
      expect(await search(storage, "needle")).toHaveLength(3)
      expect(await search(other, "needle")).toHaveLength(3)
    },
    "finds by its new words only what another handle wrote again": async ({ storage, reopen }) => {
      const other = await reopen()
      await storeTexts(storage, session, ["before"])
      expect(await search(storage, "before")).toEqual([first])
      await other.commit(session, [putPart(textPart(session, 1, "after"))])
      expect(await search(storage, "before")).toEqual([])
      expect(await search(storage, "after")).toEqual([first])
    },
    "no longer finds what another handle removed": async ({ storage, reopen }) => {
      const other = await reopen()
      await storeTexts(storage, session, ["needle", "needle"])
      expect(await search(storage, "needle")).toEqual([second, first])
      await other.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: second }])
      expect(await search(storage, "needle")).toEqual([first])
      await other.removeSession(session)
      expect(await search(storage, "needle")).toEqual([])
    },
    "finds everything from both handles at once": async ({ storage, reopen }) => {
      const other = await reopen()
      const texts = Array.from({ length: 100 }, (_, index) => `needle ${index}`)
      for (const number of [1, 2, 3]) await storeTexts(number % 2 ? storage : other, sessionID(number), texts)
      const found = await Promise.all([storage, other, storage, other].map((handle) => search(handle, "needle")))
      expect(found.map((some) => some.length)).toEqual([300, 300, 300, 300])
    },
    "finds after closing what was found before, and what was not yet searched": async ({ storage, reopen }) => {
      await storeTexts(storage, session, ["needle"])
      expect(await search(storage, "needle")).toEqual([first])
      await storage.commit(session, [putPart(textPart(session, 2, "needle"))])
      await storage.close()
      expect(await search(await reopen(), "needle")).toEqual([second, first])
    },
  },
  { needs: "location" },
)

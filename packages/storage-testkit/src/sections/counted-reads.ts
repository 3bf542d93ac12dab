import type { SessionID } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleSession, sampleText, sessionID } from "../samples.ts"
import { type SpecContext, section } from "../section.ts"
import { collect, putPart, putSession, storeConversation } from "../writes.ts"

/** Number of reads allowed in addition to the returned records. */
const MAX_EXTRA_READS = 10

const [small, large] = [sessionID(1), sessionID(2)]

/** Returns the number of records that the storage reads for `read`. */
async function countOf({ storage, countReads }: SpecContext, read: () => Promise<unknown>): Promise<number> {
  const before = countReads(storage)
  await read()
  return countReads(storage) - before
}

/** Stores a session with `before` messages before its boundary and five after it, each with a part. */
async function storeTail({ storage }: SpecContext, id: SessionID, before: number): Promise<void> {
  await storeConversation(storage, id, before + 5)
  const boundary = messageID(before + 1)
  await storage.commit(id, [{ type: "session.patch", changes: { boundary } }])
}

export const countedReads = section(
  "counted reads",
  {
    "counts what it reads": async (place) => {
      await storeConversation(place.storage, small, 20)
      expect(await countOf(place, () => place.storage.readContext(small))).toBeGreaterThanOrEqual(40)
    },
    "reads the tail for a context, whatever lies before the boundary": async (place) => {
      await storeTail(place, small, 5)
      await storeTail(place, large, 600)
      for (const id of [small, large]) {
        const { messages } = await place.storage.readContext(id)
        expect(messages).toHaveLength(5)
        expect(await countOf(place, () => place.storage.readContext(id))).toBeLessThanOrEqual(10 + MAX_EXTRA_READS)
      }
    },
    "reads the tail for a context, however often it was written or removed from": async (place) => {
      const { storage } = place
      await storeTail(place, large, 100)
      const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
      await storage.commit(
        large,
        numbers.map((number) => ({ type: "message.remove", messageID: messageID(number) })),
      )
      const part = sampleText(large, messageID(105), partID(105))
      for (let time = 0; time < 40; time++) await storage.commit(large, [putPart({ ...part, text: String(time) })])
      expect(await countOf(place, () => storage.readContext(large))).toBeLessThanOrEqual(10 + MAX_EXTRA_READS)
    },
    "reads the changes after a revision, whatever was written before": async (place) => {
      const { storage } = place
      await storeConversation(storage, large, 300)
      const changed = [1, 2, 3].map((number) => putPart(sampleText(large, messageID(number), partID(number))))
      await storage.commit(large, changed)
      expect(await countOf(place, () => storage.readChanges(large, 1))).toBeLessThanOrEqual(3 + MAX_EXTRA_READS)
      expect(await countOf(place, () => storage.readChanges(large, 2))).toBeLessThanOrEqual(MAX_EXTRA_READS)
    },
    "reads no message for a session or a list": async (place) => {
      const { storage } = place
      await storeConversation(storage, large, 300)
      for (let number = 3; number <= 12; number++)
        await storage.commit(sessionID(number), [putSession(sampleSession(sessionID(number)))])
      expect(await countOf(place, () => storage.getSession(large))).toBeLessThanOrEqual(1 + MAX_EXTRA_READS)
      expect(await countOf(place, () => collect(storage.listSessions()))).toBeLessThanOrEqual(11 + MAX_EXTRA_READS)
    },
  },
  { needs: "counted reads" },
)

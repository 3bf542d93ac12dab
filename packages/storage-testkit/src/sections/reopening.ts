import { StaleLeaseError } from "@pawl/core/storage"
import { expect } from "vitest"
import { answersOf } from "../answers.ts"
import { keptBlobs, storeReference } from "../blob-records.ts"
import { storeSamples } from "../fixtures.ts"
import { acquire, takeOver } from "../leasing.ts"
import { messageID, partID, sampleParts, sampleSession, sampleText, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putPart, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

export const reopening = section(
  "reopen after close",
  {
    "finds everything again": async ({ storage, reopen }) => {
      await storeConversation(storage, session, 3)
      await storage.commit(session, sampleParts(session, messageID(3)).map(putPart))
      await storage.commit(session, [{ type: "message.remove", messageID: messageID(1) }])
      const large = sampleText(session, messageID(3), partID(900), { text: "large ".repeat(200_000) })
      await storage.commit(session, [putPart(large)])
      const blob = await storage.blobs.put(Buffer.from("kept"))
      const before = [await storage.readContext(session), await storage.readChanges(session, 0)]
      await storage.close()

      const again = await reopen()
      expect([await again.readContext(session), await again.readChanges(session, 0)]).toEqual(before)
      expect(Buffer.from((await again.blobs.get(blob)) ?? []).toString()).toBe("kept")
      expect(await collect(again.listSessions())).toEqual([sampleSession(session)])
    },
    "goes on counting": async ({ storage, reopen }) => {
      await storeConversation(storage, session, 1)
      await storage.commit(session, [])
      await storage.close()
      const again = await reopen()
      expect(await again.commit(session, [putSession(sampleSession(session))])).toBe(3)
    },
    "does not bring back what was removed": async ({ storage, reopen }) => {
      await storeConversation(storage, session, 1)
      await storage.removeSession(session)
      await storage.close()
      const again = await reopen()
      expect(await again.getSession(session)).toBeUndefined()
      expect(await collect(again.listSessions())).toEqual([])
    },
    "keeps a lease and continues its epochs": async ({ storage, reopen }) => {
      await storeConversation(storage, session, 1)
      const lease = await storage.acquire(session, "own_a", 60_000)
      await storage.close()
      const again = await reopen()
      expect(await again.acquire(session, "own_b", 60_000)).toBeUndefined()
      expect(await again.commit(session, [], lease?.token)).toBe(2)
      expect((await again.acquire(session, "own_a", 60_000))?.token.epoch).toBe(2)
      await expect(again.commit(session, [], lease?.token)).rejects.toThrow(StaleLeaseError)
    },
    "raises epochs across closing, for every owner": async ({ storage, reopen }) => {
      await storeConversation(storage, session, 1)
      const first = await acquire(storage, session, "own_a")
      await first.release()
      await storage.close()
      const again = await reopen()
      const second = await acquire(again, session, "own_b")
      expect(second.token.epoch).toBe(2)
      await expect(again.commit(session, [], first.token)).rejects.toThrow(StaleLeaseError)
      await second.release()
      await again.close()
      expect((await acquire(await reopen(), session, "own_a")).token.epoch).toBe(3)
    },
    "still rejects who was stale before": async ({ storage, reopen }) => {
      const { stale, current } = await takeOver(storage, session)
      await storage.close()
      const again = await reopen()
      await expect(again.commit(session, [], stale.token)).rejects.toThrow(StaleLeaseError)
      expect(await again.commit(session, [], current.token)).toBe(2)
    },
    "answers every question as before": async ({ storage, reopen }) => {
      await storeSamples(storage)
      const before = await answersOf(storage)
      await storage.close()
      const again = await reopen()
      expect(await answersOf(again)).toEqual(before)
      await again.close()
      const once = await reopen()
      await once.rebuild()
      expect(await answersOf(once)).toEqual(before)
    },
    "keeps references and ages of blobs": async ({ storage, reopen }) => {
      await storeReference(storage, session, ["held"])
      await storage.blobs.put(Buffer.from("loose"))
      await storage.close()
      const again = await reopen()
      expect(await again.gc()).toEqual({ blobs: 0, bytes: 0 })
      expect(await again.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 5 })
      expect(await keptBlobs(again, ["held", "loose"])).toEqual(["held"])
    },
    "opens when nothing was ever stored": async ({ storage, reopen }) => {
      await storage.close()
      expect(await collect((await reopen()).listSessions())).toEqual([])
    },
  },
  { needs: "location" },
)

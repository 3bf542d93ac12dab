import { StaleLeaseError } from "@pawl/core/storage"
import { expect } from "vitest"
import { blobID, storeReference } from "../blob-records.ts"
import { messageID, sampleSession, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { expectWholeCommits, expectWholeReads } from "../whole-commits.ts"
import { collect, putMessage, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

export const twoHandles = section(
  "two writers on one location",
  {
    "shows each what the other committed": async ({ storage, reopen }) => {
      const other = await reopen()
      const messages = await storeConversation(storage, session, 2)
      expect((await other.readContext(session)).messages).toEqual(messages)
      await other.commit(session, [{ type: "session.patch", changes: { title: "Second" } }])
      expect((await storage.getSession(session))?.title).toBe("Second")
      const blob = await other.blobs.put(Buffer.from("shared"))
      expect(await storage.blobs.get(blob)).toBeDefined()
    },
    "shows the other all of a commit or nothing of it": async ({ storage, reopen }) => {
      await expectWholeCommits(storage, await reopen())
    },
    "loses no revision when both commit to one session": async ({ storage, reopen }) => {
      const other = await reopen()
      await storage.commit(session, [putSession(sampleSession(session))])
      const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
      const revisions = await Promise.all(
        numbers.map((number) => {
          const writer = number % 2 ? storage : other
          return writer.commit(session, [putMessage(sampleUserMessage(session, messageID(number)))])
        }),
      )
      expect(revisions.toSorted((a, b) => a - b)).toEqual(numbers.map((number) => number + 1))
      for (const reader of [storage, other]) {
        const { messages, revision } = await reader.readContext(session)
        expect(messages.map(({ info }) => info.id)).toEqual(numbers.map(messageID))
        expect(revision).toBe(41)
      }
    },
    "keeps both writers' sessions": async ({ storage, reopen }) => {
      const other = await reopen()
      const ids = Array.from({ length: 20 }, (_, index) => sessionID(index + 1))
      await Promise.all(ids.map((id, index) => storeConversation(index % 2 ? storage : other, id, 2)))
      expect((await collect(storage.listSessions())).map(({ id }) => id)).toEqual(ids)
    },
    "gives the lease to one of both": async ({ storage, reopen }) => {
      const other = await reopen()
      await storage.commit(session, [putSession(sampleSession(session))])
      const given = await Promise.all([
        storage.acquire(session, "own_a", 60_000),
        other.acquire(session, "own_b", 60_000),
      ])
      expect(given.filter((lease) => lease !== undefined)).toHaveLength(1)
    },
    "knows the other's lease, its release and its successor": async ({ storage, reopen }) => {
      const other = await reopen()
      await storage.commit(session, [putSession(sampleSession(session))])
      const first = await storage.acquire(session, "own_a", 60_000)
      expect(await other.acquire(session, "own_b", 60_000)).toBeUndefined()
      await first?.release()
      const second = await other.acquire(session, "own_b", 60_000)
      expect(second?.token.epoch).toBe(2)
      await expect(storage.commit(session, [], first?.token)).rejects.toThrow(StaleLeaseError)
      expect(await storage.commit(session, [], second?.token)).toBe(2)
    },
    "commits through one while the other reads": async ({ storage, reopen }) => {
      const other = await reopen()
      await storeConversation(storage, session, 120)
      const read: string[] = []
      let revision = 1
      for await (const { info } of storage.readMessages(session)) {
        read.push(info.id)
        const newer = putMessage(sampleUserMessage(session, messageID(1000 + read.length)))
        if (read.length % 20 === 0) expect(await other.commit(session, [newer])).toBe(++revision)
      }
      expect(read).toEqual(Array.from({ length: 120 }, (_, index) => messageID(120 - index)))
    },
    "counts and collects what the other wrote": async ({ storage, reopen }) => {
      const other = await reopen()
      await storage.blobs.put(Buffer.from("held"))
      await storage.blobs.put(Buffer.from("loose"))
      await storeReference(other, session, ["held"])
      expect((await storage.stats()).records.part.count).toBe(1)
      expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 5 })
      await other.removeSession(session)
      expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 4 })
      expect(await other.blobs.get(blobID("held"))).toBeUndefined()
    },
    "commits through one handle while the other rebuilds": async ({ storage, reopen }) => {
      const other = await reopen()
      const ids = Array.from({ length: 10 }, (_, index) => sessionID(index + 1))
      await Promise.all([storage.rebuild(), ...ids.map((id) => storeConversation(other, id, 3)), storage.rebuild()])
      expect(await collect(storage.search({ text: "message" }))).toHaveLength(30)
      expect((await collect(storage.listSessions())).map(({ id }) => id)).toEqual(ids)
      expect(await collect(storage.verify())).toEqual([])
    },
    "shows whole commits to each of many handles": async ({ storage, reopen }) => {
      const readers = await Promise.all(Array.from({ length: 6 }, () => reopen()))
      const [first, ...others] = readers
      await Promise.all([
        expectWholeCommits(storage, first ?? storage),
        ...others.map((reader) => expectWholeReads(reader)),
      ])
    },
    "stays open when the other is closed": async ({ storage, reopen }) => {
      const other = await reopen()
      await storeConversation(storage, session, 1)
      await other.close()
      expect(await storage.commit(session, [])).toBe(2)
      expect((await storage.readContext(session)).messages).toHaveLength(1)
    },
  },
  { needs: "location" },
)

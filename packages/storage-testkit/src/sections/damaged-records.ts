import { StorageError } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleSession, sessionID } from "../samples.ts"
import { type SpecContext, section } from "../section.ts"
import { collect, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)
const torn = '{"id": "'

/** Stores a session with three messages. The second has lost its part, and the third is unreadable. */
async function storeDamaged({ storage, damage }: SpecContext) {
  const messages = await storeConversation(storage, session, 3)
  await damage({ sessionID: session, messageID: messageID(2), partID: partID(2) }, torn)
  await damage({ sessionID: session, messageID: messageID(3) }, "7")
  return messages.slice(0, 2).map(({ info, parts }, index) => ({ info, parts: index === 1 ? [] : parts }))
}

/**
 * Checks the error of a storage that refuses a session with an unreadable record. A storage may also return the session
 * as it is in lists.
 */
function requireStorageError(error: unknown): void {
  expect(error).toBeInstanceOf(StorageError)
}

export const damagedRecords = section(
  "damaged records",
  {
    "lists the other sessions where some cannot be read, which verify names": async ({ storage, reopen, damage }) => {
      const [first, last] = [sessionID(1), sessionID(5)]
      for (const number of [1, 2, 3, 4, 5]) {
        await storage.commit(sessionID(number), [putSession(sampleSession(sessionID(number)))])
      }
      await damage({ sessionID: sessionID(2) }, torn)
      await damage({ sessionID: sessionID(3) }, "7")
      await damage({ sessionID: sessionID(4) }, JSON.stringify({ ...sampleSession(sessionID(4)), boundary: 7 }))
      for (const handle of [storage, await reopen()]) {
        for (const query of [{}, { directory: "/srv/project" }, { title: "new" }, { archived: false }]) {
          const listed = (await collect(handle.listSessions(query))).map(({ id }) => id)
          expect(listed.filter((id) => id === first || id === last)).toEqual([first, last])
        }
        expect(await handle.getSession(first)).toEqual(sampleSession(first))
        for (const number of [2, 3, 4]) await handle.readContext(sessionID(number)).catch(requireStorageError)
      }
      const subjects = (await collect(storage.verify())).map(({ subject }) => subject)
      expect(new Set(subjects)).toEqual(new Set([2, 3, 4].map(sessionID)))
    },
    "reads the rest of a context, and names what of it cannot be read": async (place) => {
      const readable = await storeDamaged(place)
      for (const handle of [place.storage, await place.reopen()]) {
        const { messages, damaged = [] } = await handle.readContext(session)
        expect(messages).toEqual(readable)
        const subjects = damaged.map(({ subject }) => subject)
        expect(subjects).toEqual(expect.arrayContaining([partID(2), messageID(3)]))
        expect((await collect(handle.readMessages(session))).toReversed()).toEqual(readable)
      }
    },
    "finds what cannot be read, and goes on without it once it was set aside": async (place) => {
      const readable = await storeDamaged(place)
      const { storage } = place
      const found = (await collect(storage.verify())).filter(({ kind }) => kind === "damaged")
      expect(found.map(({ subject }) => subject).toSorted()).toEqual([messageID(3), partID(2)])
      await storage.rebuild()
      expect(await collect(storage.verify())).toEqual([])
      const { messages, damaged, revision } = await storage.readContext(session)
      expect([messages, damaged]).toEqual([readable, undefined])
      expect(await storage.commit(session, [])).toBe(revision + 1)
    },
  },
  { needs: "damage" },
)

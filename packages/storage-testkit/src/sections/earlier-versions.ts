import { expect } from "vitest"
import { describeRecord } from "../fixtures.ts"
import { messageID, sampleUserMessage } from "../samples.ts"
import { type SpecContext, type StoredFixture, section } from "../section.ts"
import { collect, putMessage } from "../writes.ts"

async function forEach(
  { placeFixtures }: SpecContext,
  check: (fixture: StoredFixture) => Promise<void>,
): Promise<void> {
  for (const fixture of await placeFixtures()) {
    await check(fixture).catch((cause: unknown) => {
      throw new Error(`What "${fixture.name}" wrote: ${String(cause)}`, { cause })
    })
  }
}

export const earlierVersions = section(
  "earlier versions",
  {
    "reads everything that they wrote": (place) => {
      return forEach(place, async ({ open, description }) => {
        expect(description.sessions.length).toBeGreaterThan(0)
        expect(await describeRecord(await open())).toEqual(description)
      })
    },
    "reads it again when opened again, and from two handles": (place) => {
      return forEach(place, async ({ open, description }) => {
        const [first, second] = await Promise.all([open(), open()])
        expect(await describeRecord(second)).toEqual(description)
        await Promise.all([first.close(), second.close()])
        expect(await describeRecord(await open())).toEqual(description)
      })
    },
    "continues what they wrote": (place) => {
      return forEach(place, async ({ open, description }) => {
        const storage = await open()
        for (const { session, revision } of description.sessions) {
          const message = sampleUserMessage(session.id, messageID(999_999))
          expect(await storage.commit(session.id, [putMessage(message)])).toBe(revision + 1)
          const change = { type: "message.put", revision: revision + 1, message }
          expect(await storage.readChanges(session.id, revision)).toEqual([change])
        }
      })
    },
    "finds, counts and keeps what they wrote, and has nothing to say of it": (place) => {
      return forEach(place, async ({ open, description: { sessions, blobs } }) => {
        const storage = await open()
        const messages = sessions.flatMap((session) => session.messages)
        const texts = messages.flatMap(({ parts }) => parts).filter((part) => part.type === "text" && !part.ignored)
        for (const part of texts) {
          const hits = storage.search({
            text: part.type === "text" ? part.text.slice(0, 20) : "",
            sessionID: part.sessionID,
          })
          expect((await collect(hits)).map(({ partID }) => partID)).toContain(part.id)
        }
        await storage.gc({ minAge: 0 })
        expect(Object.keys((await describeRecord(storage)).blobs)).toEqual(Object.keys(blobs))
        const { records } = await storage.stats()
        expect([records.session.count, records.message.count]).toEqual([sessions.length, messages.length])
        expect(await collect(storage.verify())).toEqual([])
      })
    },
  },
  { needs: "fixtures" },
)

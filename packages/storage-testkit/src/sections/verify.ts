import type { MaintainedStorage, StorageProblem } from "@pawl/core/storage"
import { expect } from "vitest"
import { blobID, referringPart, storeReference } from "../blob-records.ts"
import { describeRecord, storeSamples } from "../fixtures.ts"
import { messageID, partID, sampleSession, sampleUserMessage, sessionID } from "../samples.ts"
import { search } from "../searching.ts"
import { section } from "../section.ts"
import { collect, putMessage, putPart, putSession } from "../writes.ts"

const session = sessionID(1)
const missing = blobID("missing")

/** Stores a session that refers to a blob that was never stored. */
async function storeMissing(storage: MaintainedStorage, id = session): Promise<void> {
  await storage.commit(id, [
    putSession(sampleSession(id)),
    putMessage(sampleUserMessage(id, messageID(1))),
    putPart(referringPart(id, 1, "missing")),
  ])
}

/** Returns the subjects with a problem, each once. */
async function problems(storage: MaintainedStorage): Promise<string[]> {
  const found: StorageProblem[] = await collect(storage.verify())
  return [...new Set(found.map(({ kind, subject }) => `${kind}: ${subject}`))]
}

export const verify = section("verify", {
  "has nothing to say of a new storage": async ({ storage }) => {
    expect(await collect(storage.verify())).toEqual([])
  },
  "has nothing to say of a sound one, whatever was written, removed and searched": async ({ storage }) => {
    await storeSamples(storage)
    expect(await collect(storage.verify())).toEqual([])
    await search(storage, "earlier")
    await storeReference(storage, sessionID(5), ["held"])
    expect(await collect(storage.verify())).toEqual([])
    await storage.removeSession(sessionID(1))
    await storage.gc({ minAge: 0 })
    expect(await collect(storage.verify())).toEqual([])
  },
  "names a blob that is referred to and missing": async ({ storage }) => {
    await storeReference(storage, session, ["held"])
    await storage.commit(session, [putPart(referringPart(session, 2, "held", "missing"))])
    const found = await collect(storage.verify())
    expect(found.map(({ kind, subject }) => ({ kind, subject }))).toContainEqual({
      kind: "reference",
      subject: missing,
    })
    for (const { message } of found) expect(message).toContain(missing)
    expect(await problems(storage)).toEqual([`reference: ${missing}`])
  },
  "names what is missing wherever it is referred to": async ({ storage }) => {
    await storage.commit(session, [
      putSession(sampleSession(session, { metadata: { list: [blobID("one")] } })),
      putMessage(sampleUserMessage(session, messageID(1), { system: `blob:${blobID("two")}` })),
      putPart(referringPart(session, 1, "three")),
    ])
    const expected = ["one", "two", "three"].map((text) => `reference: ${blobID(text)}`)
    expect(new Set(await problems(storage))).toEqual(new Set(expected))
  },
  "has nothing more to say when the blob is there": async ({ storage }) => {
    await storeMissing(storage)
    expect(await problems(storage)).toEqual([`reference: ${missing}`])
    await storage.blobs.put(Buffer.from("missing"))
    expect(await collect(storage.verify())).toEqual([])
  },
  "has nothing more to say when the last reference is gone": async ({ storage }) => {
    for (const id of [session, sessionID(2)]) await storeMissing(storage, id)
    await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: partID(1) }])
    expect(await problems(storage)).toEqual([`reference: ${missing}`])
    await storage.removeSession(sessionID(2))
    expect(await collect(storage.verify())).toEqual([])
  },
  "takes no blob for a problem that nothing refers to": async ({ storage }) => {
    await storage.blobs.put(Buffer.from("loose"))
    expect(await collect(storage.verify())).toEqual([])
  },
  "changes nothing": async ({ storage }) => {
    await storeSamples(storage)
    await storeMissing(storage, sessionID(9))
    await storage.blobs.put(Buffer.from("loose"))
    const before = [await describeRecord(storage), (await storage.stats()).records]
    await collect(storage.verify())
    expect([await describeRecord(storage), (await storage.stats()).records]).toEqual(before)
  },
  "stops reading when the signal has aborted, with its reason": async ({ storage }) => {
    await storeMissing(storage)
    const signal = AbortSignal.abort(new Error("enough"))
    await expect(collect(storage.verify({ signal }))).rejects.toThrow("enough")
  },
  "commits while it is read, and lets a reader stop early": async ({ storage }) => {
    for (const number of [1, 2, 3]) {
      const id = sessionID(number)
      await storage.commit(id, [putSession(sampleSession(id, { metadata: { blob: blobID(`missing ${number}`) } }))])
    }
    let revision = 1
    for await (const { kind } of storage.verify()) {
      expect(kind).toBe("reference")
      expect(await storage.commit(session, [])).toBe(++revision)
      if (revision === 3) break
    }
    expect(revision).toBe(3)
    expect(await storage.commit(session, [])).toBe(4)
  },
})

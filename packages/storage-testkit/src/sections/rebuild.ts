import { expect } from "vitest"
import { answersOf } from "../answers.ts"
import { keptBlobs, storeReference } from "../blob-records.ts"
import { storeSamples } from "../fixtures.ts"
import { messageID, partID, sampleText, sessionID } from "../samples.ts"
import { search, storeTexts, textPart } from "../searching.ts"
import { section } from "../section.ts"
import { collect, putPart } from "../writes.ts"

const session = sessionID(20)

export const rebuild = section("rebuild", {
  "answers as before": async ({ storage }) => {
    await storeSamples(storage)
    await storeReference(storage, session, ["held"])
    const before = await answersOf(storage)
    await storage.rebuild()
    expect(await answersOf(storage)).toEqual(before)
    await storage.rebuild()
    expect(await answersOf(storage)).toEqual(before)
  },
  "does nothing in a new storage": async ({ storage }) => {
    await storage.rebuild()
    expect(await collect(storage.listSessions())).toEqual([])
    expect(await collect(storage.verify())).toEqual([])
  },
  "finds what was written since the last search": async ({ storage }) => {
    await storeTexts(storage, session, ["needle", "before"])
    expect(await search(storage, "needle")).toEqual([partID(1)])
    await storage.commit(session, [
      putPart(textPart(session, 2, "after")),
      { type: "part.remove", messageID: messageID(1), partID: partID(1) },
    ])
    await storage.rebuild()
    expect(await search(storage, "needle")).toEqual([])
    expect(await search(storage, "before")).toEqual([])
    expect(await search(storage, "after")).toEqual([partID(2)])
  },
  "collects the same blobs as before": async ({ storage }) => {
    await storeReference(storage, session, ["held", "dropped"])
    await storage.commit(session, [
      putPart(sampleText(session, messageID(1), partID(1))),
      putPart(sampleText(session, messageID(1), partID(2), { text: await storage.blobs.put(Buffer.from("held")) })),
    ])
    await storage.blobs.put(Buffer.from("loose"))
    await storage.rebuild()
    expect(await storage.gc()).toEqual({ blobs: 0, bytes: 0 })
    expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 2, bytes: 12 })
    expect(await keptBlobs(storage, ["held", "dropped", "loose"])).toEqual(["held"])
  },
  "leaves revisions, changes and leases as they are": async ({ storage }) => {
    await storeTexts(storage, session, ["needle"])
    const lease = await storage.acquire(session, "own_a", 60_000)
    await storage.rebuild()
    expect(await storage.acquire(session, "own_b", 60_000)).toBeUndefined()
    expect(await storage.readChanges(session, 1)).toEqual([])
    expect(await storage.commit(session, [], lease?.token)).toBe(2)
  },
  "runs beside commits and loses none": async ({ storage }) => {
    await storeSamples(storage)
    const numbers = Array.from({ length: 20 }, (_, index) => index + 30)
    const rebuilding = storage.rebuild()
    const committing = numbers.map((number) => storeTexts(storage, sessionID(number), ["needle"]))
    await Promise.all([rebuilding, ...committing])
    expect(await collect(storage.search({ text: "needle" }))).toHaveLength(20)
    const listed = (await collect(storage.listSessions({ after: sessionID(29) }))).map(({ id }) => id)
    expect(listed).toEqual(numbers.map(sessionID))
    expect(await collect(storage.verify())).toEqual([])
  },
  "answers readers while it runs": async ({ storage }) => {
    await storeSamples(storage)
    const before = await answersOf(storage)
    const [during] = await Promise.all([answersOf(storage), storage.rebuild(), storage.rebuild()])
    // Data that is being rebuilt may be reported as a problem. Everything else must be the same.
    expect({ ...during, problems: [] }).toEqual(before)
    expect(await answersOf(storage)).toEqual(before)
  },
  "stops when the signal has aborted, with its reason, and can begin again": async ({ storage }) => {
    await storeSamples(storage)
    const before = await answersOf(storage)
    await expect(storage.rebuild({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough")
    expect(await answersOf(storage)).toEqual(before)
    await storage.rebuild()
    expect(await answersOf(storage)).toEqual(before)
  },
})

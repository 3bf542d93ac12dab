import { type MaintainedStorage, countImages, limitImages, type Part, type SessionID } from "@pawl/core/storage"
import { expect } from "vitest"
import { blobID, keptBlobs } from "../blob-records.ts"
import { acquire } from "../leasing.ts"
import { messageID, partID, sampleSession, sampleToolStates, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putMessage, putPart, putSession } from "../writes.ts"

type ToolPart = Extract<Part, { type: "tool" }>
type Change = NonNullable<ToolPart["changes"]>[number]
type Image = NonNullable<Change["before"]>

const [first, second, other] = [sessionID(1), sessionID(2), sessionID(3)] as const
const PATH = "/srv/project/a.txt"

/** The image of a content, as undo keeps it. */
function image(text: string): Image {
  return { hash: `sha256:${blobID(text)}`, blob: blobID(text), size: Buffer.byteLength(text), mode: 0o644 }
}

function dropped(text: string): Image {
  const { blob: _, ...rest } = image(text)
  return { ...rest, isDropped: true }
}

/** Stores message `number` with a call that changed a file. The number is also its time. */
async function storeChange(
  storage: MaintainedStorage,
  id: SessionID,
  number: number,
  [before, after]: readonly [before: string, after: string],
): Promise<void> {
  for (const text of [before, after]) await storage.blobs.put(Buffer.from(text))
  const state = sampleToolStates()[2]
  if (!state) throw new Error("There is no state of a completed call.")
  await storage.commit(id, [
    putMessage(sampleUserMessage(id, messageID(number), { time: { created: number } })),
    putPart({
      ...{ id: partID(1), sessionID: id, messageID: messageID(number), type: "tool", callID: "call_1", tool: "edit" },
      ...{ state, changes: [{ path: PATH, before: image(before), after: image(after) }] },
    }),
  ])
}

async function storedChange(storage: MaintainedStorage, id: SessionID, number: number): Promise<Change | undefined> {
  for await (const { info, parts } of storage.readMessages(id)) {
    if (info.id === messageID(number)) return (parts[0] as ToolPart | undefined)?.changes?.[0]
  }
  return undefined
}

/** Stores three changes of one file in two sessions of a project, and one in another project. Contents have 10 bytes. */
async function storeChanges(storage: MaintainedStorage): Promise<void> {
  await storage.commit(first, [putSession(sampleSession(first))])
  await storage.commit(second, [putSession(sampleSession(second))])
  await storage.commit(other, [putSession(sampleSession(other, { projectID: "other" }))])
  await storeChange(storage, second, 1, ["content  1", "content  2"])
  await storeChange(storage, first, 2, ["content  2", "content  3"])
  await storeChange(storage, first, 3, ["content  3", "content  4"])
  await storeChange(storage, other, 1, ["content  5", "content  6"])
}

const ALL = ["content  1", "content  2", "content  3", "content  4", "content  5", "content  6"]

export const limitedImages = section("limited images", {
  "counts contents of files once, in all projects": async ({ storage }) => {
    expect(await countImages(storage)).toEqual({ count: 0, bytes: 0 })
    await storeChanges(storage)
    expect(await countImages(storage)).toEqual({ count: 6, bytes: 60 })
  },
  "drops nothing within the limit": async ({ storage }) => {
    await storeChanges(storage)
    expect(await limitImages(storage, { maxBytes: 40 })).toEqual({ count: 0, bytes: 0 })
    expect(await countImages(storage)).toEqual({ count: 6, bytes: 60 })
  },
  "drops the oldest contents of a project, which can then be collected": async ({ storage }) => {
    await storeChanges(storage)
    expect(await limitImages(storage, { maxBytes: 30 })).toEqual({ count: 1, bytes: 10 })
    // Only content 1 is not used by a newer change.
    expect(await storedChange(storage, second, 1)).toEqual({
      ...{ path: PATH, before: dropped("content  1"), after: image("content  2") },
    })
    expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 10 })
    expect(await keptBlobs(storage, ALL)).toEqual(ALL.slice(1))

    expect(await limitImages(storage, { maxBytes: 20 })).toEqual({ count: 1, bytes: 10 })
    expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 10 })
    expect(await storedChange(storage, first, 2)).toMatchObject({ before: dropped("content  2") })
    expect(await storedChange(storage, first, 3)).toMatchObject({ before: image("content  3") })
    expect(await keptBlobs(storage, ALL)).toEqual(ALL.slice(2))
    expect(await countImages(storage)).toEqual({ count: 4, bytes: 40 })
  },
  "keeps the contents of an undo that can be taken back": async ({ storage }) => {
    await storeChanges(storage)
    await storage.blobs.put(Buffer.from("the user's"))
    const files = [{ path: PATH, had: image("the user's"), left: image("content  1"), outcome: "restored" as const }]
    const step = { id: "undo_1", messageID: messageID(1), chat: true, files, status: "done" as const }
    const undo = [{ ...step, time: { created: 9 } }]
    await storage.commit(second, [{ type: "session.patch", changes: { undo } }])
    expect(await limitImages(storage, { maxBytes: 0 })).toEqual({ count: 5, bytes: 50 })
    await storage.gc({ minAge: 0 })
    expect(await keptBlobs(storage, [...ALL, "the user's"])).toEqual(["content  1", "the user's"])
    expect((await storage.getSession(second))?.undo).toEqual(undo)
  },
  "leaves sessions at work alone": async ({ storage }) => {
    await storeChanges(storage)
    const lease = await acquire(storage, second, "own_run")
    expect(await limitImages(storage, { maxBytes: 30 })).toEqual({ count: 0, bytes: 0 })
    expect(await storedChange(storage, second, 1)).toMatchObject({ before: image("content  1") })
    await lease.release()
    expect(await limitImages(storage, { maxBytes: 30 })).toEqual({ count: 1, bytes: 10 })
    expect(await storage.acquire(second, "own_run", 1000)).toBeDefined()
  },
})

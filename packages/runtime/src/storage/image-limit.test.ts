import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { MaintainedStorage } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { messageID, partID, sampleSession, sampleUserMessage, sessionID } from "@pawl/storage-testkit/samples"
import { expect, it, onTestFinished } from "vitest"
import { limitImagesDaily } from "./image-limit.ts"

const HOUR_MS = 3_600_000
const id = sessionID(1)
const { signal } = new AbortController()

async function testDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-image-limit-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return join(directory, "undo")
}

/** Stores a patch that keeps a content of 10 bytes. Returns the content's blob. */
async function storePatch(storage: MaintainedStorage, number: number): Promise<string> {
  const blob = await storage.blobs.put(Buffer.alloc(10, number))
  const owner = { sessionID: id, messageID: messageID(number) }
  const before = { hash: `sha256:${blob}`, blob, size: 10 }
  await storage.commit(id, [
    { type: "message.put", message: sampleUserMessage(id, messageID(number), { time: { created: number } }) },
    {
      type: "part.put",
      part: {
        ...{ id: partID(1), ...owner, type: "patch", hash: "none", files: ["/srv/a"] },
        changes: [{ path: "/srv/a", before, after: null }],
      },
    },
  ])
  return blob
}

async function blobsOf(storage: MaintainedStorage): Promise<(string | undefined)[]> {
  const blobs: (string | undefined)[] = []
  for await (const { parts } of storage.readMessages(id)) {
    for (const part of parts) if (part.type === "patch") blobs.push(part.changes?.[0]?.before?.blob)
  }
  return blobs
}

it("drops the oldest contents beyond the limit, once a day", async () => {
  const [storage, directory] = [memoryStorage(), await testDirectory()]
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
  const start = Date.now()
  const limit = (hours: number) =>
    limitImagesDaily({ storage, directory, signal, maxBytes: 20, now: () => start + hours * HOUR_MS })
  const stored = [await storePatch(storage, 1), await storePatch(storage, 2)]
  await limit(0)
  expect(await blobsOf(storage)).toEqual([stored[1], stored[0]])
  stored.push(await storePatch(storage, 3))
  await limit(23)
  expect(await blobsOf(storage)).toEqual([stored[2], stored[1], stored[0]])
  await limit(25)
  expect(await blobsOf(storage)).toEqual([stored[2], stored[1], undefined])
})

it("tries again after an hour if it was stopped", async () => {
  const [storage, directory] = [memoryStorage(), await testDirectory()]
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
  const blob = await storePatch(storage, 1)
  const start = Date.now()
  const limit = (hours: number, stop: AbortSignal) =>
    limitImagesDaily({ storage, directory, signal: stop, maxBytes: 5, now: () => start + hours * HOUR_MS })
  await expect(limit(0, AbortSignal.abort())).rejects.toThrow("aborted")
  await limit(0.5, signal)
  expect(await blobsOf(storage)).toEqual([blob])
  await limit(1.5, signal)
  expect(await blobsOf(storage)).toEqual([undefined])
})

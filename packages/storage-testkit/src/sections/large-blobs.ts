import { createHash } from "node:crypto"
import { expect } from "vitest"
import { sampleSession, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putSession } from "../writes.ts"

const session = sessionID(1)
const KB = 1024

/** Returns bytes without repetitions, so that swapped pieces are noticed. */
function bytesOf(size: number, seed = 1): Buffer {
  const block = new Uint32Array(16 * KB)
  for (let index = 0, next = seed; index < block.length; index++) {
    next = (Math.imul(next, 1_664_525) + 1_013_904_223) >>> 0
    block[index] = next
  }
  const bytes = Buffer.alloc(size, Buffer.from(block.buffer))
  for (let start = 0; start + 4 <= size; start += block.byteLength) bytes.writeUInt32LE(start + seed, start)
  return bytes
}

function expectSame(stored: Uint8Array | undefined, bytes: Buffer): void {
  expect(stored?.length).toBe(bytes.length)
  expect(bytes.equals(stored ?? new Uint8Array())).toBe(true)
}

export const largeBlobs = section("large blobs", {
  "commits and reads while 20 MB are put": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const bytes = bytesOf(20 * KB * KB)
    const commitMeanwhile = async () => {
      for (let revision = 2; revision <= 10; revision++) {
        const changes = { title: String(revision) }
        expect(await storage.commit(session, [{ type: "session.patch", changes }])).toBe(revision)
        expect((await storage.getSession(session))?.title).toBe(String(revision))
      }
    }
    const [id] = await Promise.all([storage.blobs.put(bytes), commitMeanwhile()])
    expectSame(await storage.blobs.get(id), bytes)
  },
  "shows a blob only when it is whole": async ({ storage }) => {
    const bytes = bytesOf(2 * KB * KB)
    const id = createHash("sha256").update(bytes).digest("hex")
    const writer = { isPutting: true }
    const readMeanwhile = async () => {
      while (writer.isPutting) {
        const stored = await storage.blobs.get(id)
        if (stored) expect(stored.length).toBe(bytes.length)
        await new Promise(setImmediate)
      }
    }
    await Promise.all([storage.blobs.put(bytes).finally(() => (writer.isPutting = false)), readMeanwhile()])
    expectSame(await storage.blobs.get(id), bytes)
  },
  "keeps blobs that end with a piece of 256 KB, one byte before or one behind": async ({ storage }) => {
    for (const size of [1, 256 * KB - 1, 256 * KB, 256 * KB + 1, 512 * KB, 512 * KB + 1]) {
      const bytes = bytesOf(size)
      expectSame(await storage.blobs.get(await storage.blobs.put(bytes)), bytes)
    }
  },
  "knows blobs apart that begin or end alike": async ({ storage }) => {
    const [start, end, middle] = [bytesOf(300 * KB, 1), bytesOf(300 * KB, 2), bytesOf(10, 3)]
    const blobs = [
      start,
      Buffer.concat([start, end]),
      Buffer.concat([start, middle, end]),
      Buffer.concat([middle, end]),
    ]
    const ids = await Promise.all(blobs.map((bytes) => storage.blobs.put(bytes)))
    expect(new Set(ids).size).toBe(4)
    for (const [index, bytes] of blobs.entries()) expectSame(await storage.blobs.get(String(ids[index])), bytes)
  },
  "keeps one of the same large bytes that are put at once": async ({ storage }) => {
    const bytes = bytesOf(KB * KB)
    const ids = await Promise.all([1, 2, 3].map(() => storage.blobs.put(bytes)))
    expect(new Set(ids).size).toBe(1)
    expectSame(await storage.blobs.get(String(ids[0])), bytes)
    expect((await storage.stats()).records.blob).toEqual({ count: 1, bytes: KB * KB })
  },
  "keeps hundreds of blobs that are put at once": async ({ storage }) => {
    const texts = Array.from({ length: 200 }, (_, index) => Buffer.from(`blob ${index}`))
    const ids = await Promise.all(texts.map((bytes) => storage.blobs.put(bytes)))
    for (const [index, bytes] of texts.entries()) expectSame(await storage.blobs.get(String(ids[index])), bytes)
    expect((await storage.stats()).records.blob.count).toBe(200)
  },
})

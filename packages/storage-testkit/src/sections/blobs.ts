import { createHash } from "node:crypto"
import { expect } from "vitest"
import { section } from "../section.ts"

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

export const blobs = section("blobs", {
  "names bytes by their SHA-256": async ({ storage }) => {
    const bytes = Buffer.from("some bytes")
    expect(await storage.blobs.put(bytes)).toBe(sha256(bytes))
  },
  "returns the bytes as they were": async ({ storage }) => {
    const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256)
    expect(Buffer.from((await storage.blobs.get(await storage.blobs.put(bytes))) ?? [])).toEqual(Buffer.from(bytes))
  },
  "takes the same bytes again": async ({ storage }) => {
    const [first, second] = await Promise.all([1, 2].map(() => storage.blobs.put(Buffer.from("twice"))))
    expect(second).toBe(first)
    expect(await storage.blobs.put(Buffer.from("twice"))).toBe(first)
  },
  "knows nothing of bytes that were never put": async ({ storage }) => {
    expect(await storage.blobs.get(sha256(Buffer.from("never")))).toBeUndefined()
    expect(await storage.blobs.get("")).toBeUndefined()
    expect(await storage.blobs.get("../../etc/passwd")).toBeUndefined()
  },
  "keeps an empty blob": async ({ storage }) => {
    const id = await storage.blobs.put(new Uint8Array())
    expect(id).toBe(sha256(new Uint8Array()))
    expect((await storage.blobs.get(id))?.length).toBe(0)
  },
  "keeps a blob of 3 MB": async ({ storage }) => {
    const bytes = Buffer.alloc(3_000_000, "0123456789")
    const stored = await storage.blobs.get(await storage.blobs.put(bytes))
    expect(stored && sha256(stored)).toBe(sha256(bytes))
  },
  "takes only the bytes of a view on a larger buffer": async ({ storage }) => {
    const view = Buffer.from("before|inside|after").subarray(7, 13)
    const stored = await storage.blobs.get(await storage.blobs.put(view))
    expect(Buffer.from(stored ?? []).toString()).toBe("inside")
  },
  "keeps the bytes when the caller uses the buffer again": async ({ storage }) => {
    const buffer = Buffer.from("first")
    const put = storage.blobs.put(buffer)
    buffer.write("other")
    const stored = await storage.blobs.get(await put)
    expect(await put).toBe(sha256(Buffer.from("first")))
    expect(Buffer.from(stored ?? []).toString()).toBe("first")
    stored?.fill(0)
    expect(Buffer.from((await storage.blobs.get(await put)) ?? []).toString()).toBe("first")
  },
})

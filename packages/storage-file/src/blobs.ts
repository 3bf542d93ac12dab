import { createHash } from "node:crypto"
import type { BlobStore } from "@pawl/core/storage"
import { makeParents } from "./make-parents.ts"
import { blobPath, parentOf } from "./layout.ts"
import type { Store } from "./store.ts"

/** Number of bytes to hash, write or read before the event loop runs other work. */
const CHUNK_BYTES = 2 * 1024 * 1024

/**
 * Stores each blob as a plain file that is named after its hash. A file whose content has another hash counts as
 * missing.
 */
export function createBlobStore(store: Store): BlobStore {
  return {
    async put(given) {
      const bytes = new Uint8Array(given)
      const id = await hashOf(piecesOf(bytes))
      await storeBlob(store, id, bytes)
      return id
    },
    async get(id) {
      if (!isBlobID(id)) return undefined
      const size = store.fs.status(blobPath(id))?.size
      if (size === undefined) return undefined
      const bytes = Buffer.alloc(size)
      for (let position = 0; position < size; position += CHUNK_BYTES) {
        bytes.set(store.fs.readRange(blobPath(id), position, Math.min(CHUNK_BYTES, size - position)), position)
        if (size > CHUNK_BYTES) await turn()
      }
      return (await hashOf(piecesOf(bytes))) === id ? new Uint8Array(bytes.buffer, bytes.byteOffset, size) : undefined
    },
  }
}

export function isBlobID(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id)
}

/** Returns the SHA-256 of a blob's file; undefined if the file is missing. */
export async function hashOfFile({ fs }: Store, path: string): Promise<string | undefined> {
  const size = fs.status(path)?.size
  if (size === undefined) return undefined
  return hashOf(rangesOf())
  function* rangesOf() {
    for (let position = 0; position < size!; position += CHUNK_BYTES) yield fs.readRange(path, position, CHUNK_BYTES)
  }
}

/**
 * Runs work on the blobs whose ids have the same prefix, under a lock between processes, so that no process stores a
 * blob while another one collects it.
 */
export async function lockBlobs<T>(store: Store, id: string, work: () => Promise<T>): Promise<T> {
  const name = `blob-${id.slice(0, 2)}`
  return store.serial.run(name, async () => {
    const lock = await store.locks.take(name)
    try {
      return await work()
    } finally {
      lock.release()
    }
  })
}

async function storeBlob(store: Store, id: string, bytes: Uint8Array): Promise<void> {
  const { fs } = store
  const path = blobPath(id)
  const isKnown = await lockBlobs(store, id, async () => {
    if (fs.status(path)?.size !== bytes.length) return false
    // Resets the age of the blob, so that it is kept until the record that refers to it is stored.
    fs.touch(path)
    return true
  })
  if (isKnown && (await hashOfFile(store, path)) === id) return

  const temporary = store.temporaryPath()
  try {
    fs.write(temporary, new Uint8Array())
    for (const piece of piecesOf(bytes)) {
      fs.append(temporary, piece)
      if (bytes.length > CHUNK_BYTES) await turn()
    }
    if (store.isSync) await fs.sync(temporary)
    const isNew = fs.status(parentOf(path)) === undefined
    makeParents(fs, path)
    await lockBlobs(store, id, async () => fs.rename(temporary, path))
    if (!store.isSync) return
    await fs.sync(parentOf(path))
    if (isNew) await fs.sync("blob")
  } catch (error) {
    fs.remove(temporary)
    throw error
  }
}

async function hashOf(pieces: Iterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256")
  for (const piece of pieces) {
    hash.update(piece)
    if (piece.length >= CHUNK_BYTES) await turn()
  }
  return hash.digest("hex")
}

function* piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let position = 0; position < bytes.length; position += CHUNK_BYTES)
    yield bytes.subarray(position, position + CHUNK_BYTES)
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

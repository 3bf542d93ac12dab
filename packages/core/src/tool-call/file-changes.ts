import { createHash } from "node:crypto"
import type { FileRecorder } from "../contracts/tool.ts"
import type { BlobStore } from "../contracts/storage.ts"
import type { FileChange, FileImage } from "../record/message.ts"

/** Files above this size are only stored as a hash. */
const MAX_BLOB_BYTES = 10 * 1024 * 1024

export interface FileRecorderOf {
  readonly blobs: Pick<BlobStore, "put">
  /** Aborts when the call has ended for its tool. */
  readonly signal: AbortSignal
  /** Returns the present changes of the call's part. */
  readonly read: () => readonly FileChange[]
  readonly write: (changes: readonly FileChange[]) => void
  /** Stores the present part. */
  readonly commit: () => Promise<void>
}

/** Creates a recorder that stores the contents of a call's files before and after, with the part of the call. */
export function createFileRecorder(of: FileRecorderOf): FileRecorder {
  const { blobs, signal, read, write, commit } = of
  const begun = new Map<string, Promise<void>>()
  const earlier = new Map(read().map(({ path, before }) => [path, before?.hash ?? null]))

  async function recordBefore(path: string, bytes: Uint8Array | undefined, mode?: number): Promise<void> {
    if (read().some((change) => change.path === path)) return
    const before = await toImage(blobs, bytes, mode)
    signal.throwIfAborted()
    write([...read(), { path, before }])
    await commit()
  }

  return {
    async before(path, bytes, mode) {
      signal.throwIfAborted()
      const recorded = begun.get(path) ?? recordBefore(path, bytes, mode)
      begun.set(path, recorded)
      try {
        await recorded
      } catch (error) {
        begun.delete(path)
        throw error
      }
    },
    earlier: (path) => earlier.get(path),
    async after(path, bytes, mode) {
      if (!read().some((change) => change.path === path)) {
        throw new TypeError(
          `files.after was called for ${path} without files.before: call it before the file is written.`,
        )
      }
      const after = await toImage(blobs, bytes, mode)
      write(read().map((change) => (change.path === path ? { ...change, after } : change)))
    },
  }
}

/** Returns the changes without files that are unchanged. */
export function realChanges(changes: readonly FileChange[]): FileChange[] {
  return changes.filter(({ before, after }) => after === undefined || !isSame(before, after))
}

function isSame(before: FileImage | null, after: FileImage | null): boolean {
  if (!before || !after) return before === after
  const isSameMode = before.mode === undefined || after.mode === undefined || before.mode === after.mode
  return before.hash === after.hash && isSameMode
}

async function toImage(
  blobs: Pick<BlobStore, "put">,
  bytes: Uint8Array | undefined,
  mode: number | undefined,
): Promise<FileImage | null> {
  if (!bytes) return null
  const about = { size: bytes.byteLength, ...(mode === undefined ? {} : { mode }) }
  if (bytes.byteLength > MAX_BLOB_BYTES) {
    return { hash: `sha256:${createHash("sha256").update(bytes).digest("hex")}`, ...about }
  }
  const blob = await blobs.put(bytes)
  return { hash: `sha256:${blob}`, blob, ...about }
}

export interface FileVersion {
  readonly mtimeMs: number
  readonly size: number
  /** SHA-256 of the bytes in hex; undefined if only a part was read. */
  readonly hash?: string | undefined
}

/** Remembers which version of a file each session saw last. Kept in memory: a restart forgets everything. */
export interface FileTimes {
  record(sessionID: string, path: string, version: FileVersion): void
  /** Returns true if `current` differs from the version that the session saw last; false if it never saw the file. */
  isChanged(sessionID: string, path: string, current: FileVersion): boolean
}

// An entry takes about 200 bytes. Above the limit the oldest entries are forgotten.
const MAX_ENTRIES = 10_000

export function createFileTimes(): FileTimes {
  const seen = new Map<string, FileVersion>()
  const key = (sessionID: string, path: string) => `${sessionID}\0${path}`
  return {
    record(sessionID, path, version) {
      seen.delete(key(sessionID, path))
      seen.set(key(sessionID, path), version)
      for (const oldest of seen.keys()) {
        if (seen.size <= MAX_ENTRIES) break
        seen.delete(oldest)
      }
    },
    isChanged(sessionID, path, current) {
      const last = seen.get(key(sessionID, path))
      return last !== undefined && differs(last, current)
    },
  }
}

/** Compares the bytes if both hashes are known, because `touch` or a checkout changes the time alone. */
function differs(last: FileVersion, current: FileVersion): boolean {
  if (last.hash !== undefined && current.hash !== undefined) return last.hash !== current.hash
  return last.size !== current.size || last.mtimeMs !== current.mtimeMs
}

export async function contentHash(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import("node:crypto")
  return createHash("sha256").update(bytes).digest("hex")
}

/** Adds a prefix, because bare hex digits look like the id of a blob. */
export function hashInMetadata(hash: string): string {
  return `sha256:${hash}`
}

/** What a file was like at one moment. */
export interface FileVersion {
  readonly mtimeMs: number
  readonly size: number
  /** SHA-256 of the bytes in hex; absent where only a part was read. */
  readonly hash?: string | undefined
}

/** Which version of a file a session last saw. In memory: after a restart nothing has been seen. */
export interface FileTimes {
  record(sessionID: string, path: string, version: FileVersion): void
  /** Does `current` differ from what the session last saw? `false` for a file that it never saw. */
  isChanged(sessionID: string, path: string, current: FileVersion): boolean
}

// One entry is about 200 bytes; a session that touches more files than this forgets the oldest.
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

/** The bytes decide where both are known; a new time stamp alone (`touch`, a checkout back and forth) is no change. */
function differs(last: FileVersion, current: FileVersion): boolean {
  if (last.hash !== undefined && current.hash !== undefined) return last.hash !== current.hash
  return last.size !== current.size || last.mtimeMs !== current.mtimeMs
}

export async function contentHash(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import("node:crypto")
  return createHash("sha256").update(bytes).digest("hex")
}

/** A content's hash in a result's metadata. The hex digits alone would read like the id of a blob that is to be kept. */
export function hashInMetadata(hash: string): string {
  return `sha256:${hash}`
}

import { createHash } from "node:crypto"
import { type MessageWithParts, NotFoundError, type Session, type SessionID, type Storage } from "@pawl/core/storage"
import { canonicalJSON } from "./json.ts"

/** Collects a session's messages in any order. Keeps 100 bytes per message. */
export interface RecordHash {
  add(message: MessageWithParts): void
  /** Returns the lower-case hex SHA-256 of the session and all added messages. */
  of(session: Session): string
}

export function createRecordHash(): RecordHash {
  const digests: [id: string, digest: string][] = []
  return {
    add: (message) => digests.push([message.info.id, sha256(canonicalJSON(message))]),
    of(session) {
      const sorted = digests.toSorted(([a], [b]) => (a < b ? -1 : 1))
      return sha256(`${canonicalJSON(session)}\n${sorted.map(([, digest]) => digest).join("\n")}`)
    },
  }
}

/**
 * Hashes a stored session: equal for the same session, messages and parts in any storage. Blobs count by their ids,
 * which are hashes. Reads message by message. Rejects with NotFoundError if the session is missing.
 */
export async function recordHash(
  storage: Pick<Storage, "getSession" | "readMessages">,
  id: SessionID,
): Promise<string> {
  const session = await storage.getSession(id)
  if (!session) throw new NotFoundError(`Session ${id} does not exist.`)
  const hash = createRecordHash()
  for await (const message of storage.readMessages(id)) hash.add(message)
  return hash.of(session)
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex")
}

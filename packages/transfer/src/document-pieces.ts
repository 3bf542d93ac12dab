import {
  blobReferences,
  type MessageWithParts,
  NotFoundError,
  type Session,
  type SessionID,
  type Storage,
} from "@pawl/core/storage"
import type { ExportReport } from "./document.ts"
import { oldestFirst } from "./oldest-first.ts"
import { createRecordHash } from "./record-hash.ts"
import { createSanitizer, type SanitizeOptions } from "./sanitize/sanitizer.ts"
import { sessionTree } from "./session-tree.ts"

export interface ExportOptions {
  /** With the sessions below it. Default true. */
  readonly children?: boolean
  /**
   * Masks what may be secret or personal, and counts it in the report. `keys`: keys, tokens, private keys, share links.
   * `secrets`: besides, home directories. `content`: besides, all that was said, read and written. Default: nothing.
   */
  readonly sanitize?: SanitizeOptions
  /** Rejects with its reason. */
  readonly signal?: AbortSignal
}

/** A document in the order in which it is written. */
export type DocumentPiece =
  | { readonly type: "session"; readonly session: Session }
  /** Of the session before. */
  | { readonly type: "message"; readonly message: MessageWithParts }
  | { readonly type: "session-end"; readonly hash: string }
  | { readonly type: "blob"; readonly id: string; readonly bytes: Uint8Array }
  | { readonly type: "end"; readonly report: ExportReport }

export type ExportedStorage = Pick<Storage, "location" | "getSession" | "listSessions" | "readMessages" | "blobs">

/** Reads what is to be exported, a page at a time. NotFoundError without such a session. */
export async function* documentPieces(
  storage: ExportedStorage,
  id: SessionID,
  { children = true, sanitize, signal }: ExportOptions,
): AsyncGenerator<DocumentPiece> {
  const root = await storage.getSession(id)
  if (!root) throw new NotFoundError(`Session ${id} does not exist in ${storage.location}.`)
  const sanitizer = sanitize && createSanitizer(sanitize, storage.blobs)
  const counts = { sessions: 0, messages: 0, parts: 0, blobs: 0 }
  const references = new Set<string>()
  const refer = (value: unknown) => {
    for (const blob of blobReferences(JSON.stringify(value))) references.add(blob)
  }

  for await (const stored of children ? sessionTree(storage, root) : [root]) {
    const session = sanitizer ? await sanitizer.session(stored) : stored
    const hash = createRecordHash()
    counts.sessions++
    refer(session)
    yield { type: "session", session }
    for await (const read of oldestFirst(storage, stored.id)) {
      signal?.throwIfAborted()
      const message = sanitizer ? await sanitizer.message(read) : read
      hash.add(message)
      counts.messages++
      counts.parts += message.parts.length
      refer(message)
      yield { type: "message", message }
    }
    yield { type: "session-end", hash: hash.of(session) }
  }
  for (const blob of references) {
    signal?.throwIfAborted()
    const bytes = sanitizer ? await sanitizer.blob(blob) : await storage.blobs.get(blob)
    if (!bytes) continue
    counts.blobs++
    yield { type: "blob", id: blob, bytes }
  }
  const found = sanitizer && { removed: sanitizer.removed(), places: sanitizer.places() }
  yield { type: "end", report: { ...counts, ...found } }
}

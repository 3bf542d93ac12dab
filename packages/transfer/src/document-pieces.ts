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
  /** Includes child sessions. Default: true. */
  readonly children?: boolean
  /**
   * Masks secret or personal data and counts it in the report. `keys`: keys, tokens, private keys, share links.
   * `secrets`: also home directories. `content`: also all text of messages, files and outputs. Default: nothing is
   * masked.
   */
  readonly sanitize?: SanitizeOptions
  /** The export rejects with its reason. */
  readonly signal?: AbortSignal
}

/** Pieces of a document in the order in which they are written. */
export type DocumentPiece =
  | { readonly type: "session"; readonly session: Session }
  /** Belongs to the session before it. */
  | { readonly type: "message"; readonly message: MessageWithParts }
  | { readonly type: "session-end"; readonly hash: string }
  | { readonly type: "blob"; readonly id: string; readonly bytes: Uint8Array }
  | { readonly type: "end"; readonly report: ExportReport }

export type ExportedStorage = Pick<Storage, "location" | "getSession" | "listSessions" | "readMessages" | "blobs">

/** Reads an export page by page. Rejects with NotFoundError if the session is missing. */
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

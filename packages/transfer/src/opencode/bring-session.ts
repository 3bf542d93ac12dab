import { contextStart } from "@pawl/core/record"
import type { MessageID, MessageWithParts, Session, SessionID, Storage } from "@pawl/core/storage"
import { bringUpToDate } from "../bring-up-to-date.ts"
import { createCarriedBlobs } from "../carried-blobs.ts"
import { hasMore } from "../joined-messages.ts"
import { createRecordHash } from "../record-hash.ts"
import type { SessionSource } from "../session-source.ts"
import type { Outcome } from "../session-writer.ts"
import { isUnfinished } from "../unfinished.ts"
import { importedHash, withImportedHash, withoutImportedHash } from "./imported-mark.ts"

export interface BroughtOpenCodeSession {
  /** `conflict`: the session changed in OpenCode and in pawl since the last import. pawl's session stays unchanged. */
  readonly outcome: Outcome | "conflict"
  readonly messages: number
  readonly parts: number
}

/** Imports a session's changes from OpenCode, unless the session was continued in pawl since. */
export async function bringOpenCodeSession(
  to: Storage,
  source: SessionSource,
  signal: AbortSignal | undefined,
): Promise<BroughtOpenCodeSession> {
  const { hash, session, messages, parts } = await readWhole(source, signal)
  const stored = await to.getSession(session.id)
  if (stored && isUnfinished(stored)) {
    if (await hasMore(to.readMessages(session.id), source.messages())) return { outcome: "conflict", messages, parts }
  } else if (stored) {
    const before = importedHash(stored)
    if (before === hash) return { outcome: "unchanged", messages, parts }
    if (before !== (await storedHash(to, session.id))) return { outcome: "conflict", messages, parts }
  }
  const marked = withImportedHash(session, hash)
  const { outcome } = await bringUpToDate(to, { ...source, session: marked }, { blobs: createCarriedBlobs(to), signal })
  await correctMark(to, marked, hash)
  return { outcome, messages, parts }
}

/** OpenCode may have changed the session between the two reads; then the stored hash must be corrected. */
async function correctMark(to: Storage, session: Session, hash: string): Promise<void> {
  const written = await storedHash(to, session.id)
  if (written === undefined || written === hash) return
  const { metadata } = withImportedHash(session, written)
  await to.commit(session.id, [{ type: "session.patch", changes: { metadata } }])
}

interface Whole {
  /** Includes the boundary that its messages imply. */
  readonly session: Session
  readonly hash: string
  readonly messages: number
  readonly parts: number
}

async function readWhole(source: SessionSource, signal: AbortSignal | undefined): Promise<Whole> {
  const hash = createRecordHash()
  const ids = new Set<MessageID>()
  let parts = 0
  let marker: MessageID | undefined
  let boundary: MessageID | undefined
  for await (const message of source.messages()) {
    signal?.throwIfAborted()
    hash.add(message)
    ids.add(message.info.id)
    parts += message.parts.length
    marker ??= summarized(message)
    if (message.info.id === marker) boundary ??= contextStart(message)
  }
  const session = boundary && ids.has(boundary) ? { ...source.session, boundary } : source.session
  return { session, hash: hash.of(session), messages: ids.size, parts }
}

/** If this answer ended a compaction, returns the message that requested it; the context starts there. */
function summarized({ info }: MessageWithParts): MessageID | undefined {
  const isSummary = info.role === "assistant" && info.summary === true && info.error === undefined
  return isSummary && info.finish !== undefined ? info.parentID : undefined
}

async function storedHash(storage: Storage, id: SessionID): Promise<string | undefined> {
  const session = await storage.getSession(id)
  if (!session) return undefined
  const hash = createRecordHash()
  for await (const message of storage.readMessages(id)) hash.add(message)
  return hash.of(withoutImportedHash(session))
}

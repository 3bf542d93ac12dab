import type { Change, MessageWithParts, Revision, Session, MaintainedStorage, Write } from "@pawl/core/storage"
import { blobReferences } from "@pawl/core/storage"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleParts,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "./samples.ts"
import { collect, putMessage, putPart, putSession } from "./writes.ts"

/** All records of a storage as JSON. */
export interface RecordDescription {
  /** Newest first. */
  readonly sessions: readonly SessionDescription[]
  /** The blobs with references from sessions, in base64, by id. */
  readonly blobs: Readonly<Record<string, string>>
}

export interface SessionDescription {
  readonly session: Session
  readonly revision: Revision
  /** Oldest first, also those before the boundary. */
  readonly messages: readonly MessageWithParts[]
  readonly changes: readonly Change[]
}

export async function describeRecord(storage: MaintainedStorage): Promise<RecordDescription> {
  const sessions: SessionDescription[] = []
  for await (const { id } of storage.listSessions()) {
    const { session, revision } = await storage.readContext(id)
    const messages = (await collect(storage.readMessages(id))).toReversed()
    sessions.push({ session, revision, messages, changes: await storage.readChanges(id, 0) })
  }
  const blobs: Record<string, string> = {}
  for (const id of blobReferences(JSON.stringify(sessions)).toSorted()) {
    const bytes = await storage.blobs.get(id)
    if (bytes) blobs[id] = Buffer.from(bytes).toString("base64")
  }
  return { sessions, blobs }
}

/**
 * Stores at least one record of each kind, in each state that a version can leave it in. Fixtures are made from these
 * records.
 */
export async function storeSamples(storage: MaintainedStorage): Promise<void> {
  const [parent, child, archived, removed] = [sessionID(1), sessionID(2), sessionID(3), sessionID(4)]
  const assistant = sampleAssistantMessage(parent, messageID(2))
  await storage.commit(parent, [
    putSession(sampleSession(parent, { title: "Größe \ud83d \0 漢字", boundary: messageID(2) })),
    putMessage(sampleUserMessage(parent, messageID(1))),
    putPart(sampleText(parent, messageID(1), partID(1), { text: "What an earlier version was asked" })),
    putMessage(assistant),
    ...sampleParts(parent, assistant.id).map(putPart),
  ])
  const blob = await storage.blobs.put(Buffer.from("what an earlier version kept"))
  await storage.commit(parent, [
    putMessage(sampleUserMessage(parent, messageID(3))),
    putPart(sampleText(parent, messageID(3), partID(30), { metadata: { blob }, text: "lone \udc00, NUL \0" })),
    putPart(sampleText(parent, messageID(3), partID(31), { text: `large ${"x".repeat(300_000)}` })),
    putPart(sampleText(parent, messageID(3), partID(32), { text: "gone soon" })),
  ])
  const later: Write[][] = [
    [putPart(sampleText(parent, messageID(3), partID(30), { metadata: { blob }, text: "written again" }))],
    [{ type: "part.remove", messageID: messageID(3), partID: partID(32) }],
    [putMessage(sampleUserMessage(parent, messageID(4))), { type: "message.remove", messageID: messageID(1) }],
    [{ type: "session.patch", changes: { metadata: { list: [1, { nested: null }] } } }],
    [],
  ]
  for (const writes of later) await storage.commit(parent, writes)
  await storage.commit(child, [putSession(sampleSession(child, { parentID: parent, directory: "/srv/other" }))])
  const time = { created: 1, updated: 2, archived: 3 }
  await storage.commit(archived, [putSession(sampleSession(archived, { time }))])
  await storage.commit(removed, [putSession(sampleSession(removed)), putMessage(sampleUserMessage(removed, "msg_1"))])
  await storage.removeSession(removed)
}

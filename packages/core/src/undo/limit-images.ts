import { randomUUID } from "node:crypto"
import type { SessionID } from "../base/ids.ts"
import type { LongWork, Storage, Write } from "../contracts/storage.ts"
import { justAfter } from "../record/compaction-record.ts"
import type { FileImage, MessageWithParts, Part, Session } from "../record/message.ts"

/** Contents of files that are kept for undo, before and after calls. Equal contents count once. */
export interface ImageCount {
  readonly count: number
  readonly bytes: number
}

export interface LimitImagesOptions extends LongWork {
  /** Largest size of the contents of one project, in bytes. Default: `MAX_IMAGE_BYTES` */
  readonly maxBytes?: number
}

/** Largest size of the contents that are kept for undo in one project. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024 * 1024

/** Time to live of a lease, in milliseconds. A session needs it while its messages are rewritten. */
const LEASE_MS = 30_000

/** Counts the contents that are kept for undo. Reads all sessions. */
export async function countImages(
  storage: Pick<Storage, "listSessions" | "readMessages">,
  work: LongWork = {},
): Promise<ImageCount> {
  const found: Images = new Map()
  for await (const [, { pinned, messages }] of projects(storage, work)) {
    for (const images of [pinned, ...messages.map((message) => message.images)]) addAll(found, images)
  }
  return sum(found)
}

/**
 * Drops the oldest contents of each project that keeps more than the limit: changes stay recorded, but cannot be undone
 * any more. `gc` removes the contents. Contents of an undo that can be taken back, and of sessions at work, stay.
 * Returns what was dropped.
 */
export async function limitImages(
  storage: Pick<Storage, "listSessions" | "readMessages" | "acquire" | "commit">,
  { maxBytes = MAX_IMAGE_BYTES, ...work }: LimitImagesOptions = {},
): Promise<ImageCount> {
  const dropped: Images = new Map()
  const owner = `limit-images:${randomUUID()}`
  for await (const [, project] of projects(storage, work)) {
    const bySession = Map.groupBy(oldMessages(project, maxBytes), ({ sessionID }) => sessionID)
    for (const [sessionID, messages] of bySession) {
      const lease = await storage.acquire(sessionID, owner, LEASE_MS)
      if (!lease) continue
      try {
        for (const { messageID, images } of messages) {
          work.signal?.throwIfAborted()
          await lease.renew()
          for await (const message of storage.readMessages(sessionID, { before: justAfter(messageID), limit: 1 })) {
            const writes = message.info.id === messageID ? withoutImages(message, images) : []
            if (writes.length > 0) await storage.commit(sessionID, writes, lease.token)
          }
          addAll(dropped, images)
        }
      } finally {
        // A lease that cannot be released expires.
        await lease.release().catch(() => undefined)
      }
    }
  }
  return sum(dropped)
}

/** Sizes in bytes, by the blob. */
type Images = Map<string, number>

interface MessageImages {
  readonly sessionID: SessionID
  readonly messageID: MessageWithParts["info"]["id"]
  readonly time: number
  readonly images: Images
}

interface ProjectImages {
  /** Contents of undos that can be taken back. */
  readonly pinned: Images
  readonly messages: MessageImages[]
}

/** Reads the contents of all projects. */
async function* projects(
  storage: Pick<Storage, "listSessions" | "readMessages">,
  { signal, onProgress }: LongWork,
): AsyncGenerator<[projectID: string, ProjectImages]> {
  const found = new Map<string, ProjectImages>()
  let sessions = 0
  for await (const session of storage.listSessions()) {
    const project: ProjectImages = found.get(session.projectID) ?? { pinned: new Map(), messages: [] }
    found.set(session.projectID, project)
    for (const image of undoneImages(session)) add(project.pinned, image)
    for await (const message of storage.readMessages(session.id)) {
      signal?.throwIfAborted()
      const images: Images = new Map()
      for (const part of message.parts) for (const image of imagesOf(part)) add(images, image)
      const { id: messageID, time } = message.info
      if (images.size > 0) project.messages.push({ sessionID: session.id, messageID, time: time.created, images })
    }
    onProgress?.(++sessions, sessions)
  }
  yield* found
}

/** Returns the messages that do not fit, oldest first, each with the contents that no newer message has. */
function oldMessages({ pinned, messages }: ProjectImages, maxBytes: number): MessageImages[] {
  const kept = new Map(pinned)
  let bytes = sum(kept).bytes
  const old: MessageImages[] = []
  for (const message of messages.toSorted((a, b) => b.time - a.time)) {
    const own: Images = new Map([...message.images].filter(([blob]) => !kept.has(blob)))
    bytes += sum(own).bytes
    if (bytes <= maxBytes) addAll(kept, own)
    else if (own.size > 0) old.unshift({ ...message, images: own })
  }
  return old
}

function withoutImages({ parts }: MessageWithParts, dropped: Images): Write[] {
  const drop = (image: FileImage): FileImage => {
    const { blob, ...rest } = image
    return blob !== undefined && dropped.has(blob) ? { ...rest, isDropped: true } : image
  }
  return parts.flatMap((part): Write[] => {
    if (!hasChanges(part) || !imagesOf(part).some(({ blob }) => blob !== undefined && dropped.has(blob))) return []
    const changes = part.changes?.map(({ before, after, ...change }) => ({
      ...change,
      before: before && drop(before),
      ...(after === undefined ? {} : { after: after && drop(after) }),
    }))
    return [{ type: "part.put", part: { ...part, ...(changes ? { changes } : {}) } }]
  })
}

function hasChanges(part: Part): part is Extract<Part, { type: "tool" | "patch" }> {
  return part.type === "tool" || part.type === "patch"
}

function imagesOf(part: Part): FileImage[] {
  if (!hasChanges(part)) return []
  return (part.changes ?? []).flatMap(({ before, after }) => [before, after]).filter((image) => !!image)
}

function undoneImages({ undo = [] }: Pick<Session, "undo">): FileImage[] {
  const files = undo.flatMap((step) => [...(step.files ?? []), ...(step.redo ?? [])])
  return files.flatMap(({ had, left, wanted }) => [had, left, wanted]).filter((image) => !!image)
}

function add(images: Images, { blob, size }: FileImage): void {
  if (blob !== undefined) images.set(blob, size)
}

function addAll(images: Images, more: Images): void {
  for (const [blob, size] of more) images.set(blob, size)
}

function sum(images: Images): ImageCount {
  return { count: images.size, bytes: [...images.values()].reduce((total, size) => total + size, 0) }
}

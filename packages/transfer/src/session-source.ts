import type { MessageWithParts, Session, Storage } from "@pawl/core/storage"

/** A session to transfer to a storage. */
export interface SessionSource {
  readonly session: Session
  /** Newest first by id, parts by id, as a storage reads them. */
  messages(): AsyncIterable<MessageWithParts>
  /** Returns undefined if there is no such blob, because a string may only look like a reference. */
  readBlob(id: string): Promise<Uint8Array | undefined>
}

export type ReadableStorage = Pick<Storage, "getSession" | "readMessages" | "blobs">

export function storedSession(storage: ReadableStorage, session: Session): SessionSource {
  return {
    session,
    messages: () => storage.readMessages(session.id),
    readBlob: (id) => storage.blobs.get(id),
  }
}

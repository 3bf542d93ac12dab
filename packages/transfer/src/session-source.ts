import type { MessageWithParts, Session, Storage } from "@pawl/core/storage"

/** A session that is brought to a storage. */
export interface SessionSource {
  readonly session: Session
  /** Newest first by id, parts by id, as a storage reads them. */
  messages(): AsyncIterable<MessageWithParts>
  /** Undefined: there is none, which is no failure: a string may look like a reference and be none. */
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

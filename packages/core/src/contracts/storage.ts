import type { MessageID, PartID, SessionID } from "../base/ids.ts"
import type { Message, MessageWithParts, Part, Session } from "../record/message.ts"
import type { LeaseHolder } from "../base/errors.ts"

/** A session's commit counter: 0 before the first commit, one more with each commit. */
export type Revision = number

/** A change of a session's record. A put replaces the record with the same id. */
export type Write =
  /** Creates the session, or replaces it completely. */
  | { readonly type: "session.put"; readonly session: Session }
  /**
   * Sets the named top-level fields of the session and keeps the others; `undefined` removes a field. `time` is merged
   * the same way, field by field, so that concurrent changes of different times do not undo each other. `time` itself
   * is never removed.
   */
  | { readonly type: "session.patch"; readonly changes: SessionChanges }
  | { readonly type: "message.put"; readonly message: Message }
  /** The message must exist, or be put earlier in the same commit. */
  | { readonly type: "part.put"; readonly part: Part }
  /** Removes the message with its parts; does nothing if it does not exist. */
  | { readonly type: "message.remove"; readonly messageID: MessageID }
  | { readonly type: "part.remove"; readonly messageID: MessageID; readonly partID: PartID }

export type SessionChanges = FieldChanges<Omit<Session, "id" | "time">> & {
  readonly time?: FieldChanges<Session["time"]>
}

type FieldChanges<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The final state of a record. A record that was written many times appears once, with its last revision. */
export type Change =
  | { readonly type: "session.put"; readonly revision: Revision; readonly session: Session }
  | { readonly type: "message.put"; readonly revision: Revision; readonly message: Message }
  | { readonly type: "part.put"; readonly revision: Revision; readonly part: Part }
  | { readonly type: "message.remove"; readonly revision: Revision; readonly messageID: MessageID }
  | {
      readonly type: "part.remove"
      readonly revision: Revision
      readonly messageID: MessageID
      readonly partID: PartID
    }

export interface Context {
  readonly session: Session
  /** The last commit in this context; `readChanges` continues from here. */
  readonly revision: Revision
  /** Messages from the session's boundary on, oldest first, with parts by id. */
  readonly messages: readonly MessageWithParts[]
  /** Unreadable records of this range, which were left out; missing if all are readable. */
  readonly damaged?: readonly StorageProblem[]
}

export interface SessionQuery {
  readonly directory?: string
  readonly projectID?: string
  /** `null`: only sessions without a parent. */
  readonly parentID?: SessionID | null
  /** Default: archived and other sessions. */
  readonly archived?: boolean
  /** Part of the title. Case does not matter. */
  readonly title?: string
  /** Only sessions that sort after this one: the last id of the previous page. */
  readonly after?: SessionID
  readonly limit?: number
}

export interface MessageQuery {
  /** Only messages older than this one. */
  readonly before?: MessageID
  readonly limit?: number
  /** `false`: the reader ignores the parts of assistant messages, so the storage need not read them. Default: true */
  readonly assistantParts?: boolean
}

/** Proof of ownership for each write of a run. */
export interface LeaseToken {
  readonly sessionID: SessionID
  readonly owner: string
  /** Fencing number. Grows by one with each acquisition. */
  readonly epoch: number
}

export interface Lease {
  readonly token: LeaseToken
  /** Restarts the time to live. Rejects with StaleLeaseError once another owner has the session. */
  renew(): Promise<void>
  /** Releases the session; does nothing if the lease is no longer held. */
  release(): Promise<void>
}

/**
 * Content-addressed bytes: large outputs, attachments, before-images. A record refers to a blob if one of its strings
 * is the blob's id, alone or after `blob:`; `blobReferences` finds these ids.
 */
export interface BlobStore {
  /**
   * Stores the bytes and returns their id, the lower-case SHA-256 in hex. Equal bytes are stored once. Durable when it
   * resolves.
   */
  put(bytes: Uint8Array): Promise<string>
  get(id: string): Promise<Uint8Array | undefined>
}

/**
 * The durable record of sessions, as far as an engine needs it. JSON values return as written. The tests of `@pawl/storage-testkit` define the
 * contract. A location that cannot be read or written causes a StorageError with its name.
 */
export interface Storage {
  /** Location of the record, for users: `sqlite:/home/me/.local/share/pawl/pawl.db`. */
  readonly location: string

  /**
   * Applies all writes or none. Resolves once they are durable, with the session's new revision. Rejects with
   * StaleLeaseError if the lease is no longer current; the check and the writes are one transaction. Admitting a user
   * message needs no lease. Rejects with NotFoundError if the session does not exist and the first write is not
   * `session.put`, or if a part's message does not exist.
   */
  commit(sessionID: SessionID, writes: readonly Write[], lease?: LeaseToken): Promise<Revision>

  getSession(id: SessionID): Promise<Session | undefined>

  /** Lists sessions, newest first by id, without reading messages. */
  listSessions(query?: SessionQuery): AsyncIterable<Session>

  /**
   * Reads the context from the boundary on with one indexed read, however much lies before it. Rejects with
   * NotFoundError if the session does not exist.
   */
  readContext(id: SessionID): Promise<Context>

  /**
   * Returns the changes after `revision`, in order of revision, and within a revision in the order written. The cost
   * depends on the number of changes only.
   */
  readChanges(id: SessionID, after: Revision): Promise<readonly Change[]>

  /**
   * Returns the last revision of each session, without reading its messages. The map lacks sessions that do not exist,
   * and those that other programs may change without a new revision. Optional: used to read a session again only if it
   * has changed.
   */
  readRevisions?(ids: readonly SessionID[]): Promise<ReadonlyMap<SessionID, Revision>>

  /** Yields messages, newest first. The reader may stop early, and does not block writers. */
  readMessages(id: SessionID, query?: MessageQuery): AsyncIterable<MessageWithParts>

  /** Follows commits of any process from now on; ends when the signal aborts. Merges changes for a slow reader. */
  watch(filter: { readonly sessionID?: SessionID }, signal: AbortSignal): AsyncIterable<WatchedChange>

  /** Removes the session with its messages and parts, and every session below it. Does nothing if it does not exist. */
  removeSession(id: SessionID): Promise<void>

  /**
   * Acquires the right to run the session; undefined while another owner holds it. A lease ends when it is released,
   * when `ttl` milliseconds pass without renewal, or when its owner's process is known to be dead. This never depends
   * on a wall clock that may jump.
   */
  acquire(id: SessionID, owner: string, ttl: number): Promise<Lease | undefined>

  /**
   * Returns the present owner of the session; undefined if the session is free. Optional: used to tell users which
   * process they wait for.
   */
  leaseHolder?(id: SessionID): Promise<LeaseHolder | undefined>

  readonly blobs: BlobStore

  /**
   * Finds the parts that contain, for every word of the query, a word that begins with it. Case does not matter.
   * `searchWords` defines a word, and `searchText` the searched text of a part. Sorts the newest part first; a
   * rewritten part may sort by its last write. Finds everything that was committed. A storage with very much to index
   * first may answer from the index so far, and reports that to the caller that opened it. Yields nothing if the query
   * has no word.
   * With `work`, the storage waits until everything that the query needs is indexed, and reports the number of indexed
   * or read records or sessions. When the signal aborts, the storage stops indexing, answers with what it has, and does
   * not reject.
   */
  search(query: SearchQuery, work?: LongWork): AsyncIterable<SearchHit>

  /** Ends watchers and frees the location. A second call does nothing. */
  close(): Promise<void>
}

/** Work on a whole store, for operators. An engine runs on a storage without it. */
export interface StorageMaintenance {
  /** Returns counts and bytes, without reading the records if the storage can avoid it. */
  stats(): Promise<StorageStats>

  /**
   * Reads everything and changes nothing. Yields each damaged record, missing or unknown reference, and wrong derived
   * value.
   */
  verify(work?: LongWork): AsyncIterable<StorageProblem>

  /**
   * Rebuilds all data that is derived from the records: lists, the search index, blob references. Damaged records are
   * moved aside, never deleted. Resumes where an earlier call was interrupted, or begins again, and may run beside
   * other work.
   */
  rebuild(work?: LongWork): Promise<void>

  /** Removes blobs that no record refers to and that were put `minAge` milliseconds ago or earlier, and frees the space. */
  gc(options?: GCOptions): Promise<{ readonly blobs: number; readonly bytes: number }>
}

/** A storage with its maintenance: what the packages `storage-*` open. */
export interface MaintainedStorage extends Storage, StorageMaintenance {}

export interface SearchQuery {
  readonly text: string
  readonly sessionID?: SessionID
  readonly directory?: string
  readonly projectID?: string
  readonly limit?: number
}

export interface SearchHit {
  readonly sessionID: SessionID
  readonly messageID: MessageID
  readonly partID: PartID
  /** The searched text of the part; `excerpt` cuts it around the words. */
  readonly text: string
}

export interface StorageStats {
  /** `bytes`: size of the JSON or the content, without overhead of the storage. */
  readonly records: Readonly<Record<"session" | "message" | "part" | "blob", { count: number; bytes: number }>>
  /** Total size of the location, with indexes, logs and free space. If that is unknown: the size of the records. */
  readonly totalBytes: number
}

export interface StorageProblem {
  readonly kind:
    /** A record that cannot be read. */
    | "damaged"
    /** A record whose message or session is missing, or a blob that is referred to but missing. */
    | "reference"
    /** A derived value that does not agree with the records; `rebuild` repairs it. */
    | "derived"
  /** The id of the record or blob, or the name of the derived value. */
  readonly subject: string
  /** Message for users: the problem, the place, and the next step. */
  readonly message: string
}

/** Options of work that may take minutes. */
export interface LongWork {
  /** Stops the work, which rejects with the signal's reason. Finished parts of the work stay. */
  readonly signal?: AbortSignal
  /** Called from time to time. `total` may be an estimate. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface GCOptions extends LongWork {
  /**
   * Milliseconds. Default: one day. A blob is stored before the record that refers to it, possibly by another process.
   */
  readonly minAge?: number
}

/** Reports that a session changed; `readChanges` returns the changes. `revision` is 0 if the session was removed. */
export interface WatchedChange {
  readonly sessionID: SessionID
  readonly revision: Revision
}

import type { MessageID, PartID, SessionID } from "../base/ids.ts"
import type { Message, MessageWithParts, Part, Session } from "../record/message.ts"
import type { LeaseHolder } from "../base/errors.ts"

/** A session's commit counter: 0 before the first commit, then one more with each. */
export type Revision = number

/** One change of a session's record. Ids decide identity: a put replaces what has the same id. */
export type Write =
  /** Creates the session, or replaces it whole. */
  | { readonly type: "session.put"; readonly session: Session }
  /**
   * Sets the named top-level fields of the session and leaves the others; `undefined` removes one. `time` is merged the
   * same way, field by field, so that nobody's change of one time undoes another's of another; it is never removed.
   */
  | { readonly type: "session.patch"; readonly changes: SessionChanges }
  | { readonly type: "message.put"; readonly message: Message }
  /** The message must exist, or be put earlier in the same commit. */
  | { readonly type: "part.put"; readonly part: Part }
  /** Removes the message with its parts; nothing happens where there is none. */
  | { readonly type: "message.remove"; readonly messageID: MessageID }
  | { readonly type: "part.remove"; readonly messageID: MessageID; readonly partID: PartID }

export type SessionChanges = FieldChanges<Omit<Session, "id" | "time">> & {
  readonly time?: FieldChanges<Session["time"]>
}

type FieldChanges<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The state that a record was left in; a record written many times appears once, with its last revision. */
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
  /** The last commit that this context contains; `readChanges` goes on from here. */
  readonly revision: Revision
  /** Oldest first, parts by id, from the session's boundary on. */
  readonly messages: readonly MessageWithParts[]
  /** Records of this range that cannot be read and were left out; absent where there are none. */
  readonly damaged?: readonly StorageProblem[]
}

export interface SessionQuery {
  readonly directory?: string
  readonly projectID?: string
  /** `null`: only sessions without a parent. */
  readonly parentID?: SessionID | null
  /** Absent: both. */
  readonly archived?: boolean
  /** Part of the title, whatever its case. */
  readonly title?: string
  /** Only sessions that sort behind this one: the last id of the page before. */
  readonly after?: SessionID
  readonly limit?: number
}

export interface MessageQuery {
  /** Only messages older than this one. */
  readonly before?: MessageID
  readonly limit?: number
}

/** Proof of ownership that goes with each write of a run. */
export interface LeaseToken {
  readonly sessionID: SessionID
  readonly owner: string
  /** Grows by one with each acquisition: the fence. */
  readonly epoch: number
}

export interface Lease {
  readonly token: LeaseToken
  /** Starts the time to live again. Rejects with StaleLeaseError once another owner has the session. */
  renew(): Promise<void>
  /** Gives the session up; does nothing when it is no longer held. */
  release(): Promise<void>
}

/**
 * Content-addressed bytes: large outputs, attachments, before-images. A record refers to a blob by holding its id, alone
 * or behind `blob:`, as one of its strings; `blobReferences` finds them.
 */
export interface BlobStore {
  /** Returns the id, the lower-case SHA-256 of the bytes in hex. The same bytes are stored once. Durable when it resolves. */
  put(bytes: Uint8Array): Promise<string>
  get(id: string): Promise<Uint8Array | undefined>
}

/**
 * The durable record of sessions. JSON values return as written. `@pawl/storage-testkit` is the definition in tests.
 * A location that cannot be read or written is a StorageError which names it.
 */
export interface Storage {
  /** Where the record is kept, for people: `sqlite:/home/me/.local/share/pawl/pawl.db`. */
  readonly location: string

  /**
   * All writes or none. Resolves once durable, with the session's new revision. With a lease that is no longer current
   * it rejects with StaleLeaseError; the check and the writes are one transaction. Admitting a user message needs no
   * lease. A first write other than `session.put` to a session that does not exist rejects with NotFoundError, and so
   * does a part without its message.
   */
  commit(sessionID: SessionID, writes: readonly Write[], lease?: LeaseToken): Promise<Revision>

  getSession(id: SessionID): Promise<Session | undefined>

  /** Newest first by id, without reading messages. */
  listSessions(query?: SessionQuery): AsyncIterable<Session>

  /** From the boundary on: one indexed read, whatever lies before it. NotFoundError without such a session. */
  readContext(id: SessionID): Promise<Context>

  /** What changed after `revision`, in order of revision, within a revision in the order written. Cost: the changes. */
  readChanges(id: SessionID, after: Revision): Promise<readonly Change[]>

  /** Newest first; a reader may stop early, and writers are not held up meanwhile. */
  readMessages(id: SessionID, query?: MessageQuery): AsyncIterable<MessageWithParts>

  /** Follows commits of any process, from now on; ends when the signal aborts. A slow reader gets changes merged. */
  watch(filter: { readonly sessionID?: SessionID }, signal: AbortSignal): AsyncIterable<WatchedChange>

  /** The session, its messages and parts, and the same for every session below it. Nothing happens without it. */
  removeSession(id: SessionID): Promise<void>

  /**
   * The right to run the session, or undefined while another owner holds it. A lease ends when it is released, when
   * `ttl` milliseconds pass without renewal, or when its owner's process is known to be dead. Never decided by a wall
   * clock that may jump.
   */
  acquire(id: SessionID, owner: string, ttl: number): Promise<Lease | undefined>

  /** The present owner of the session; undefined if the session is free. Optional: used to tell users what they wait for. */
  leaseHolder?(id: SessionID): Promise<LeaseHolder | undefined>

  readonly blobs: BlobStore

  /**
   * The parts that hold every word of the text, or a word that begins with it, whatever their case; `searchWords` tells
   * what a word is, `searchText` what of a part is searched. The newest part first: those written again later may stand
   * where they were written last. What has been committed is found; a storage that has very much to index first may answer
   * with what is indexed so far, and says so to whoever opened it. Yields nothing where the text has no word.
   * With `work` it waits for all that the query asks for, and reports how many records or sessions it indexed or read. When
   * the signal aborts, the storage stops doing so, answers with what it has, and does not reject.
   */
  search(query: SearchQuery, work?: LongWork): AsyncIterable<SearchHit>

  /** Counts and bytes, without reading the records where the storage can. */
  stats(): Promise<StorageStats>

  /** Reads everything and changes nothing: each damaged record, missing or unknown reference, and wrong derived value. */
  verify(work?: LongWork): AsyncIterable<StorageProblem>

  /**
   * Makes all that is derived from the records anew: lists, the search index, blob references. Damaged records are set
   * aside, never deleted. Resumes where an earlier call was interrupted, or begins again, and may run beside other work.
   */
  rebuild(work?: LongWork): Promise<void>

  /** Removes blobs that no record refers to and that were put `minAge` milliseconds ago or earlier, and frees the space. */
  gc(options?: GCOptions): Promise<{ readonly blobs: number; readonly bytes: number }>

  /** Ends watchers and frees the location. A second call does nothing. */
  close(): Promise<void>
}

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
  /** What of the part is searched; `excerpt` cuts it around the words. */
  readonly text: string
}

export interface StorageStats {
  /** `bytes`: the JSON or the content, without what the storage adds. */
  readonly records: Readonly<Record<"session" | "message" | "part" | "blob", { count: number; bytes: number }>>
  /** All that the location takes, with indexes, logs and free space; what the records take where nothing else is known. */
  readonly totalBytes: number
}

export interface StorageProblem {
  readonly kind:
    /** A record that cannot be read. */
    | "damaged"
    /** A record whose message or session is not there, or a blob that is referred to and missing. */
    | "reference"
    /** A derived value that does not agree with the records: `rebuild` makes it right. */
    | "derived"
  /** The id of the record or blob, or the name of what is derived. */
  readonly subject: string
  /** For people: what is wrong, where, and the next step. */
  readonly message: string
}

/** For what may take minutes. */
export interface LongWork {
  /** Rejects with its reason; what was done stays done. */
  readonly signal?: AbortSignal
  /** Called now and then. `total` may be an estimate. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface GCOptions extends LongWork {
  /** Milliseconds; default one day. A blob is put before the record that refers to it, maybe by another process. */
  readonly minAge?: number
}

/** Tells that a session changed; what changed is read with `readChanges`. `revision` is 0 when it was removed. */
export interface WatchedChange {
  readonly sessionID: SessionID
  readonly revision: Revision
}

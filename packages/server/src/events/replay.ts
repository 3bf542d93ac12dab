import { createIDSource } from "@pawl/core"
import type { Change, Revision, Session, SessionID } from "@pawl/core/storage"
import { type OpenCodeEvent, openCodeEvents } from "../shapes/event.ts"
import { changeEvent, recordID } from "./change-event.ts"
import { type FollowedStorage, UNSEEN_COMMITS, UNSEEN_MS } from "./commit-follower.ts"
import type { KnownRevisions, Positions, TornCommit } from "./positions.ts"

/** Events that a client has missed, read from the storage. */
export interface Replayed {
  readonly events: readonly ReplayedEvent[]
  /** The last commit of each session that `events` include. */
  readonly revisions: ReadonlyMap<SessionID, Revision>
}

export interface ReplayedEvent {
  readonly directory: string
  readonly event: OpenCodeEvent
  /** Position of a client that has seen the events up to this one. Missing if it would be too long. */
  readonly position?: string | undefined
}

/** Reads what a client has missed since a position. Resolves with undefined if the position is unknown. */
export type Replay = (position: string) => Promise<Replayed | undefined>

export interface ReplayOptions {
  readonly positions: Pick<Positions, "at">
  /** Returns up to which commit of a session the log has events. Later ones come after the replay. */
  readonly lastReported: (sessionID: SessionID) => Revision | undefined
  /** Returns the storages of all open directories. */
  readonly storages: () => Promise<Iterable<FollowedStorage>>
}

/** Number of sessions that are compared with what a client knows. If there are more, positions are unknown. */
const MAX_SESSIONS = 50_000
/** Number of events that are sent again. If there are more, reading the sessions is quicker. */
const MAX_EVENTS = 20_000
/** Length of a position. It has to fit into a header. */
const MAX_POSITION = 4000

/**
 * Creates a replay for positions whose events are no longer in memory: those of an earlier server, or of long ago. Each
 * record that changed since is sent once, as it is now.
 */
export function createReplay({ positions, lastReported, storages }: ReplayOptions): Replay {
  return async (text) => {
    const position = parsePosition(text)
    const known = position && (await positions.at(position.epoch, position.number))
    if (!known) return undefined
    const ids = createIDSource(Date.now)
    const events: ReplayedEvent[] = []
    const revisions = new Map<SessionID, Revision>(position.replayed)
    const read = new Set<SessionID>()
    const found: { readonly session: Session; readonly changes: readonly Change[] }[] = []
    let total = 0
    for (const storage of await storages()) {
      for await (const session of storage.listSessions()) {
        if (read.has(session.id)) continue
        if (read.add(session.id).size > MAX_SESSIONS) return undefined
        const after = revisions.get(session.id) ?? (await seenRevision(storage, session, known))
        const changes = after === undefined ? [] : await storage.readChanges(session.id, after)
        if (after === undefined || changes.length === 0) continue
        revisions.set(session.id, after)
        found.push({ session, changes })
        if ((total += changes.length) > MAX_EVENTS) return undefined
      }
    }
    // From here on nothing is waited for, so that the log cannot advance.
    for (const { session, changes } of found) {
      const last = lastReported(session.id) ?? Infinity
      const torn =
        position.torn.get(session.id) ?? (position.replayed.has(session.id) ? undefined : known.torn.get(session.id))
      for (const commit of commitsOf(changes.filter(({ revision }) => revision <= last))) {
        const converted = commit.changes
          .map((change) => changeEvent(ids.other("evt"), session.id, change))
          .filter((event) => !torn || commit.revision > torn.revision || !torn.records.has(recordID(event)))
          .flatMap((event) => openCodeEvents(event).map((each) => ({ event: each, record: recordID(event) })))
        const seen = new Set<string>()
        for (const { event, record } of converted) {
          seen.add(record)
          const isWhole = seen.size === converted.length
          if (isWhole) revisions.set(session.id, commit.revision)
          const reached = isWhole ? undefined : { sessionID: session.id, revision: commit.revision, records: seen }
          events.push({ directory: session.directory, event, position: positionOf(position, revisions, reached) })
        }
        revisions.set(session.id, commit.revision)
      }
    }
    return { events, revisions }
  }
}

function commitsOf(changes: readonly Change[]) {
  const commits: { readonly revision: Revision; readonly changes: Change[] }[] = []
  for (const change of changes) {
    const { revision } = change
    const last = commits.at(-1)
    if (last?.revision === revision) last.changes.push(change)
    else commits.push({ revision, changes: [change] })
  }
  return commits
}

/**
 * The position of a client, `epoch.number`, and what it has seen of a replay that was cut:
 * `epoch.number+session:revision,session:revision`. Of a commit that was cut, the revision and the seen records follow:
 * `session:revision:commit:record:record`.
 */
interface Position {
  readonly epoch: string
  readonly number: number
  readonly replayed: ReadonlyMap<SessionID, Revision>
  readonly torn: ReadonlyMap<SessionID, TornCommit>
}

function parsePosition(text: string): Position | undefined {
  if (text.length > MAX_POSITION) return undefined
  const [, epoch, digits, list = ""] = /^([\da-f]{12})\.(\d{1,15})((?:[+,]ses_\w+(?::\w+)+)*)$/.exec(text) ?? []
  if (epoch === undefined) return undefined
  const replayed = new Map<SessionID, Revision>()
  const torn = new Map<SessionID, TornCommit>()
  for (const [, id, revision, commit, records = ""] of list.matchAll(/(ses_\w+):(\d+)(?::(\d+)((?::\w+)+))?/g)) {
    replayed.set(id as SessionID, Number(revision))
    if (commit !== undefined) {
      torn.set(id as SessionID, { revision: Number(commit), records: new Set(records.slice(1).split(":")) })
    }
  }
  return { epoch, number: Number(digits), replayed, torn }
}

/** Returns undefined if it is too long. A client that is cut then gets the replay again from the last position. */
function positionOf(
  { epoch, number }: Position,
  revisions: ReadonlyMap<SessionID, Revision>,
  torn?: TornCommit & { readonly sessionID: SessionID },
): string | undefined {
  const list = [...revisions].map(([id, revision]) => {
    return torn?.sessionID === id ? [id, revision, torn.revision, ...torn.records].join(":") : `${id}:${revision}`
  })
  const text = `${epoch}.${number}+${list.join(",")}`
  return text.length > MAX_POSITION ? undefined : text
}

/** Returns the last commit of a session that the client has seen; undefined if nothing has changed since. */
async function seenRevision(
  storage: FollowedStorage,
  { id, time }: Session,
  { revisions, until }: KnownRevisions,
): Promise<Revision | undefined> {
  const seen = revisions.get(id)
  if (seen !== undefined) return seen
  // The server has reported no commit of this session.
  if (time.updated < until - UNSEEN_MS) return undefined
  if (time.created >= until - UNSEEN_MS) return 0
  return Math.max(0, (await storage.readContext(id)).revision - UNSEEN_COMMITS)
}

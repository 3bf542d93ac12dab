import { createIDSource } from "@pawl/core"
import { changeEvent, recordID, type Change, type Revision, type Session, type SessionID } from "@pawl/core/storage"
import { type OpenCodeEvent, openCodeEvents } from "../shapes/event.ts"
import { type CommitFollower, type FollowedStorage, type Reach, UNSEEN_COMMITS, UNSEEN_MS } from "./commit-follower.ts"
import type { KnownRevisions, Positions, TornCommit } from "./positions.ts"

/** Events that a client has missed, read from the storage. */
export interface Replayed {
  readonly events: readonly ReplayedEvent[]
  /** The commits that a client has seen after these events, by session. */
  readonly reached: ReadonlyMap<SessionID, Reached>
}

/** Commits that a client has seen, and records of a later one. */
export interface Reached extends Reach {
  readonly torn: TornCommit | undefined
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
  /** Returns which commits the log has events of. The others come from the log after the replay. */
  readonly reach: CommitFollower["reach"]
  /** Returns whether an engine of this process works on the session. */
  readonly isWorking: (sessionID: SessionID) => boolean
  /** Returns the storages of all open directories. */
  readonly storages: () => Promise<Iterable<FollowedStorage>>
}

/** Number of sessions that are compared with what a client knows. If there are more, positions are unknown. */
const MAX_SESSIONS = 50_000
/** Number of events that are sent again. If there are more, reading the sessions is quicker. */
const MAX_EVENTS = 20_000
/** Number of sessions whose status is sent, those that were reported last: their server may have died at work. */
const MAX_STATUSES = 50
/** Length of a position. It has to fit into a header. */
const MAX_POSITION = 4000

/**
 * Creates a replay for positions whose events are no longer in memory: those of an earlier server, or of long ago. Each
 * record that changed since is sent once, as it is now.
 */
export function createReplay({ positions, reach, isWorking, storages }: ReplayOptions): Replay {
  return async (text) => {
    const position = parsePosition(text)
    const known = position && (await positions.at(position.epoch, position.number))
    if (!known) return undefined
    const seen: Seen = { revisions: new Map(position.replayed), torn: new Map(position.torn) }
    const found: { readonly session: Session; readonly changes: readonly Change[]; readonly after: Revision }[] = []
    const read = new Map<SessionID, Session>()
    let total = 0
    for (const storage of await storages()) {
      for await (const session of storage.listSessions()) {
        if (read.has(session.id)) continue
        if (read.set(session.id, session).size > MAX_SESSIONS) return undefined
        const after = position.replayed.get(session.id) ?? (await seenRevision(storage, session, known))
        const changes = after === undefined ? [] : await storage.readChanges(session.id, after)
        if (after === undefined) continue
        const torn = known.torn.get(session.id)
        if (torn && !position.replayed.has(session.id)) seen.torn.set(session.id, torn)
        found.push({ session, changes, after })
        if (changes.length > 0) seen.revisions.set(session.id, after)
        if ((total += changes.length) > MAX_EVENTS) return undefined
      }
    }
    // A session that was removed cannot be reported.
    for (const id of known.revisions.keys()) if (!read.has(id)) return undefined
    // From here on nothing is waited for, so that the log cannot advance.
    const events: ReplayedEvent[] = []
    const reached = new Map<SessionID, Reached>()
    let isTooLong = false
    for (const { session, changes, after } of found) {
      const { id, directory } = session
      const included = upTo(changes.at(-1)?.revision ?? 0, reach(id))
      const missed = missedEvents(id, changes, included, seen.torn.get(id))
      forgetRecords(seen, id, new Set(missed.map(({ record }) => record)))
      for (const { event, record, revision, isLast } of missed) {
        const torn = seen.torn.get(id)
        const isWhole = isLast && revision <= included.reported
        if (isWhole) seen.revisions.set(id, revision)
        if (!isWhole || (torn && torn.revision > revision)) {
          const records = new Set([...(torn?.records ?? []), record])
          seen.torn.set(id, { revision: Math.max(revision, torn?.revision ?? 0), records })
        } else seen.torn.delete(id)
        // Once a position is too long, the later ones are as well.
        const reachedHere: string | undefined = isTooLong ? undefined : positionOf(position, seen)
        isTooLong ||= reachedHere === undefined
        events.push({ directory, event, position: reachedHere })
      }
      // This server may report only now what the client has seen from an earlier one.
      const reported = Math.max(after, included.reported)
      reached.set(id, { reported, ahead: included.ahead, torn: seen.torn.get(id) })
    }
    const latest = [...known.revisions.keys()].slice(-MAX_STATUSES).flatMap((id) => read.get(id) ?? [])
    return {
      events: [...events, ...latest.flatMap((session) => statusEvents(session, isWorking(session.id)))],
      reached,
    }
  }
}

/** Returns the events that tell a client whether a session is at work now. */
function statusEvents({ id: sessionID, directory }: Session, isWorking: boolean): ReplayedEvent[] {
  const ids = createIDSource(Date.now)
  const event = (type: string, properties: Readonly<Record<string, unknown>>): ReplayedEvent => {
    return { directory, event: { id: ids.other("evt"), type, properties: { sessionID, ...properties } } }
  }
  const status = event("session.status", { status: { type: isWorking ? "busy" : "idle" } })
  return isWorking ? [status] : [status, event("session.idle", {})]
}

/** Returns the commits that were read: others may have been reported since. */
function upTo(revision: Revision, reach: Reach | undefined): Reach {
  if (!reach) return { reported: revision, ahead: new Set() }
  const ahead = new Set([...reach.ahead].filter((each) => each <= revision))
  return { reported: Math.min(reach.reported, revision), ahead }
}

/** The part of each session that a client has seen. */
interface Seen {
  /** The last commit that it has seen, with all before. */
  readonly revisions: Map<SessionID, Revision>
  readonly torn: Map<SessionID, TornCommit>
}

/**
 * Takes out records that are sent again, because they have changed since. A later position may name the commit that changed
 * them before they are sent.
 */
function forgetRecords({ torn }: Seen, sessionID: SessionID, sent: ReadonlySet<string>): void {
  const before = torn.get(sessionID)
  if (!before) return
  const records = new Set([...before.records].filter((record) => !sent.has(record)))
  if (records.size > 0) torn.set(sessionID, { ...before, records })
  else torn.delete(sessionID)
}

/** Returns the events of the changes that the log has reported and the client has not seen. */
function missedEvents(
  sessionID: SessionID,
  changes: readonly Change[],
  { reported, ahead }: Reach,
  torn: TornCommit | undefined,
) {
  const ids = createIDSource(Date.now)
  const isSeen = (revision: Revision, record: string) => revision <= (torn?.revision ?? 0) && torn?.records.has(record)
  const events = changes
    .filter(({ revision }) => revision <= reported || ahead.has(revision))
    .map((change) => ({ revision: change.revision, event: changeEvent(ids.other("evt"), sessionID, change) }))
    .filter(({ revision, event }) => !isSeen(revision, recordID(event)))
    .flatMap(({ revision, event }) =>
      openCodeEvents(event).map((each) => ({ event: each, record: recordID(event), revision })),
    )
  return events.map((each, at) => ({ ...each, isLast: events[at + 1]?.revision !== each.revision }))
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
function positionOf({ epoch, number }: Position, { revisions, torn }: Seen): string | undefined {
  const list = [...revisions].map(([id, revision]) => {
    const cut = torn.get(id)
    return cut ? [id, revision, cut.revision, ...cut.records].join(":") : `${id}:${revision}`
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

import { createIDSource, type EngineEvent } from "@pawl/core"
import { changeEvent, recordID, type Revision, type Session, type SessionID, type Storage } from "@pawl/core/storage"
import { type OpenCodeEvent, openCodeEvents } from "../shapes/event.ts"
import { openCodeSession } from "../shapes/session.ts"
import type { EventLog } from "./event-log.ts"
import type { Positions, ReportedRecord } from "./positions.ts"

/** The part of a storage that events are read from. */
export type FollowedStorage = Pick<
  Storage,
  "watch" | "readChanges" | "getSession" | "listSessions" | "readContext" | "leaseHolder"
>

/** Reports the commits of all processes as events, each once, and records their positions. */
export interface CommitFollower {
  /** Takes note of a commit that an engine of this process reports. Called after its event was appended to the log. */
  reported(event: EngineEvent): void
  /** Returns which commits of a session the log has events of. Undefined for a session that no server has reported. */
  reach(sessionID: SessionID): Reach | undefined
  /** Reports the commits of other processes, until the returned function is called. */
  follow(storage: FollowedStorage): () => void
  /** Resolves when commits from before the follower began are reported. */
  readonly begun: Promise<void>
  /** The storages that are followed. */
  readonly storages: ReadonlySet<FollowedStorage>
  close(): void
}

export interface CommitFollowerOptions {
  readonly log: EventLog
  readonly positions?: Pick<Positions, "record" | "recordAhead" | "earlier" | "earlierUntil"> | undefined
  /** Milliseconds that an engine of this process has to report its own commit. Default: 150 */
  readonly graceMs?: number
}

/**
 * Commits of an unknown session that are read when another process first writes to it. A storage joins notices of several
 * commits, so the first notice may come late.
 */
export const UNSEEN_COMMITS = 64

/** Number of sessions that are read when a server starts, those that were reported last. */
const MAX_READ_AT_START = 2000
/** Milliseconds before the end of a server in which it may have missed commits of other processes. */
export const UNSEEN_MS = 5000

/** Milliseconds between looks at the lease of another process. */
const LOOK_MS = 250

/** The commits of a session that are reported. */
export interface Reach {
  /** All commits up to this one are reported. */
  readonly reported: Revision
  /** Later commits that are reported, too. */
  readonly ahead: ReadonlySet<Revision>
}

interface Followed extends Reach {
  reported: Revision
  readonly ahead: Set<Revision>
  /** Events since `reported` last advanced. */
  records: ReportedRecord[]
  /** Events of the commit that an engine is reporting. */
  readonly running: ReportedRecord[]
  /** Records that an engine reports while the storage is read, which may return older states of them. */
  readonly newer: Map<string, Revision>
}

export function createCommitFollower({ log, positions, graceMs = 150 }: CommitFollowerOptions): CommitFollower {
  /** Sessions that were created since are new to clients. */
  const since = positions?.earlierUntil || Date.now()
  /** Sessions at which another process works, with the timer of the next look at its lease. */
  const busy = new Map<SessionID, NodeJS.Timeout>()
  const ids = createIDSource(Date.now)
  const sessions = new Map<SessionID, Followed>()
  /** Sessions that are read soon, or are being read. */
  const reads = new Map<SessionID, { timer: NodeJS.Timeout; revision: Revision; isStale: boolean }>()
  const storages = new Set<FollowedStorage>()
  const stops = new Set<() => void>()

  /** `reported`: what to assume of a session that no server has reported. */
  function followed(sessionID: SessionID, reported: Revision): Followed {
    const known = sessions.get(sessionID)
    if (known) return known
    const earlier = positions?.earlier.get(sessionID)
    const added: Followed = {
      reported: Math.max(0, earlier ?? reported),
      ahead: new Set(),
      records: [],
      running: [],
      newer: new Map(),
    }
    sessions.set(sessionID, added)
    return added
  }

  function advance(sessionID: SessionID, session: Followed, revision: Revision): void {
    const before = session.reported
    session.reported = Math.max(before, revision)
    while (session.ahead.delete(session.reported + 1)) session.reported++
    for (const each of session.ahead) if (each <= session.reported) session.ahead.delete(each)
    if (session.reported === before) return
    positions?.record(log.number, sessionID, session.reported, session.records)
    session.records = []
  }

  /** A session that was removed. */
  function forget(sessionID: SessionID): void {
    sessions.delete(sessionID)
    positions?.record(log.number, sessionID, 0)
  }

  /** Reads the session after a while, in which an engine of this process may report the commit itself. */
  function readSoon(storage: FollowedStorage, sessionID: SessionID, revision: Revision): void {
    const begun = reads.get(sessionID)
    if (begun) {
      begun.revision = Math.max(begun.revision, revision)
      begun.isStale = true
      return
    }
    const read = async () => {
      started.isStale = false
      const session = followed(sessionID, started.revision - UNSEEN_COMMITS)
      if (started.revision > session.reported) await readMissing(storage, sessionID, session)
      reads.delete(sessionID)
      if (started.isStale) readSoon(storage, sessionID, started.revision)
    }
    const started = { revision, isStale: false, timer: setTimeout(() => void read(), graceMs) }
    started.timer.unref()
    reads.set(sessionID, started)
  }

  /** Reports the commits that no engine of this process has reported. */
  async function readMissing(storage: FollowedStorage, sessionID: SessionID, session: Followed): Promise<void> {
    session.newer.clear()
    try {
      const stored = await storage.getSession(sessionID)
      if (!stored) return forget(sessionID)
      const changes = await storage.readChanges(sessionID, session.reported)
      if (!sessions.has(sessionID)) return
      // The record of a new session may have changed since, so that its commit no longer comes first.
      if (session.reported === 0 && stored.time.created >= since) {
        const properties = { sessionID, info: openCodeSession(stored) }
        log.append(stored.directory, { id: ids.other("evt"), type: "session.created", properties })
      }
      const status = await otherStatus(storage, stored)
      if (status) log.append(stored.directory, status)
      for (const change of changes) {
        if (change.revision <= session.reported || session.ahead.has(change.revision)) continue
        const commit = { sessionID, revision: change.revision }
        const event = changeEvent(ids.other("evt"), sessionID, change)
        if ((session.newer.get(recordID(event)) ?? 0) > change.revision) continue
        for (const each of openCodeEvents(event)) log.append(stored.directory, each, commit)
        session.records.push([log.number, recordID(event)])
      }
      const newest = changes.at(-1)?.revision
      if (newest !== undefined) advance(sessionID, session, newest)
    } catch {
      // The storage is closing, or the next notice reads again.
    }
  }

  /** Returns the event that another process has begun to work on the session, once. Reports the end of the work later. */
  async function otherStatus(storage: FollowedStorage, { id, directory }: Session): Promise<OpenCodeEvent | undefined> {
    if (busy.has(id) || !(await isHeldElsewhere(storage, id)) || busy.has(id)) return undefined
    const look = async () => {
      const isHeld = await isHeldElsewhere(storage, id).catch(() => false)
      if (!busy.has(id)) return
      if (isHeld) return lookLater()
      // The last commits come before the end.
      if (reads.has(id)) return lookLater()
      busy.delete(id)
      log.append(directory, statusEvent(id, "idle"))
      log.append(directory, { id: ids.other("evt"), type: "session.idle", properties: { sessionID: id } })
    }
    const lookLater = () => {
      const timer = setTimeout(() => void look(), LOOK_MS)
      timer.unref()
      busy.set(id, timer)
    }
    lookLater()
    return statusEvent(id, "busy")
  }

  function statusEvent(sessionID: SessionID, type: "busy" | "idle"): OpenCodeEvent {
    return { id: ids.other("evt"), type: "session.status", properties: { sessionID, status: { type } } }
  }

  /** Reports what other processes did while no server ran. */
  async function readEarlier(storage: FollowedStorage): Promise<void> {
    if (!positions?.earlierUntil) return
    for (const sessionID of [...positions.earlier.keys()].slice(-MAX_READ_AT_START)) {
      await readMissing(storage, sessionID, followed(sessionID, 0))
    }
    for await (const { id, time } of storage.listSessions()) {
      if (time.created < positions.earlierUntil - UNSEEN_MS) break
      await readMissing(storage, id, followed(id, 0))
    }
  }

  const begun = Promise.withResolvers<void>()
  let hasBegun = false

  return {
    storages,
    begun: begun.promise,
    reach(sessionID) {
      const session = sessions.get(sessionID)
      if (session) return { reported: session.reported, ahead: new Set(session.ahead) }
      const reported = positions?.earlier.get(sessionID)
      return reported === undefined ? undefined : { reported, ahead: new Set() }
    },
    reported(event) {
      const { commit, properties } = event
      if (!commit || !("sessionID" in properties) || !properties.sessionID) return
      const { sessionID } = properties
      const session = followed(sessionID, commit.revision - 1)
      if (commit.revision <= session.reported) return
      const record: ReportedRecord = [log.number, recordID(event)]
      session.records.push(record)
      session.running.push(record)
      session.newer.set(recordID(event), commit.revision)
      if (!commit.isWhole) return
      const records = session.running.splice(0)
      session.ahead.add(commit.revision)
      advance(sessionID, session, session.reported)
      // A client that has seen it may lose this server before the commits in between are read.
      if (session.ahead.has(commit.revision)) positions?.recordAhead(log.number, sessionID, commit.revision, records)
      // Another process has written in between.
      const [storage] = storages
      if (session.ahead.size > 0 && storage) readSoon(storage, sessionID, commit.revision)
    },
    follow(storage) {
      const controller = new AbortController()
      const stop = () => {
        stops.delete(stop)
        storages.delete(storage)
        controller.abort()
      }
      storages.add(storage)
      stops.add(stop)
      if (!hasBegun) {
        hasBegun = true
        readEarlier(storage)
          .catch(() => undefined)
          .finally(() => begun.resolve())
      }
      const watch = async () => {
        for await (const { sessionID, revision } of storage.watch({}, controller.signal)) {
          if (revision === 0) forget(sessionID)
          else if (revision > (sessions.get(sessionID)?.reported ?? 0)) readSoon(storage, sessionID, revision)
        }
      }
      // A storage that can no longer be watched reports that to its engine as well.
      watch().catch(() => undefined)
      return stop
    },
    close() {
      for (const stop of [...stops]) stop()
      for (const { timer } of reads.values()) clearTimeout(timer)
      for (const timer of busy.values()) clearTimeout(timer)
      reads.clear()
      busy.clear()
      sessions.clear()
    },
  }
}

/** Returns whether a living process other than this one works on the session. */
async function isHeldElsewhere(storage: FollowedStorage, sessionID: SessionID): Promise<boolean> {
  const holder = await storage.leaseHolder?.(sessionID)
  return holder?.isAlive === true && holder.process !== undefined && holder.process.pid !== process.pid
}

import { createIDSource } from "@pawl/core"
import type { Revision, Session, SessionID } from "@pawl/core/storage"
import { type OpenCodeEvent, openCodeEvents } from "../shapes/event.ts"
import { changeEvent } from "./change-event.ts"
import { type FollowedStorage, UNSEEN_COMMITS } from "./commit-follower.ts"
import type { KnownRevisions, Positions } from "./positions.ts"

/** What a client has missed, read from the storage. */
export interface Replayed {
  readonly events: readonly { readonly directory: string; readonly event: OpenCodeEvent }[]
  /** The last commit of each session that `events` include. */
  readonly revisions: ReadonlyMap<SessionID, Revision>
}

/** Reads what a client has missed since a position. Resolves with undefined if the position is unknown. */
export type Replay = (position: string) => Promise<Replayed | undefined>

export interface ReplayOptions {
  readonly positions: Pick<Positions, "at">
  /** Returns the storages of all open directories. */
  readonly storages: () => Promise<Iterable<FollowedStorage>>
}

/** Number of sessions that are compared with what a client knows. If there are more, positions are unknown. */
const MAX_SESSIONS = 50_000
/** Number of events that are sent again. If there are more, reading the sessions is quicker. */
const MAX_EVENTS = 20_000
/** Milliseconds before the end of a server in which it may have missed commits of other processes. */
const UNSEEN_MS = 5000

/**
 * Creates a replay for positions whose events are no longer in memory: those of an earlier server, or of long ago. Each
 * record that changed since is sent once, as it is now.
 */
export function createReplay({ positions, storages }: ReplayOptions): Replay {
  return async (position) => {
    const [, epoch = "", digits = ""] = /^([\da-f]{12})\.(\d{1,15})$/.exec(position) ?? []
    const known = await positions.at(epoch, Number(digits))
    if (!known) return undefined
    const ids = createIDSource(Date.now)
    const events: Replayed["events"][number][] = []
    const revisions = new Map<SessionID, Revision>()
    let sessions = 0
    for (const storage of await storages()) {
      for await (const session of storage.listSessions()) {
        if (revisions.has(session.id)) continue
        if (++sessions > MAX_SESSIONS) return undefined
        const after = await seenRevision(storage, session, known)
        if (after === undefined) continue
        const changes = await storage.readChanges(session.id, after)
        revisions.set(session.id, changes.at(-1)?.revision ?? after)
        for (const change of changes) {
          const event = changeEvent(ids.other("evt"), session.id, change)
          for (const each of openCodeEvents(event)) events.push({ directory: session.directory, event: each })
        }
        if (events.length > MAX_EVENTS) return undefined
      }
    }
    return { events, revisions }
  }
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

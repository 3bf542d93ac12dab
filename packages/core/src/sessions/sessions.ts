import { NotFoundError } from "../base/errors.ts"
import type { JournalDeps } from "../store/journal.ts"
import type { IDSource, SessionID } from "../base/ids.ts"
import type { JSONObject } from "../base/json.ts"
import type { Lease, SessionChanges, SessionQuery, Storage } from "../contracts/storage.ts"
import { type EditDeps, editSession } from "../store/edit.ts"
import { collected } from "../base/collected.ts"
import { type Drafts, keepDraft } from "../record/drafts.ts"
import { isUnfinishedFork } from "../record/fork-marker.ts"
import { writeSession } from "../store/write.ts"
import type { PermissionRule, Session } from "../record/message.ts"
import { VERSION } from "../base/version.ts"

export interface CreateSessionInput {
  /** Absolute path. */
  readonly directory: string
  readonly title?: string
  readonly projectID?: string
  readonly parentID?: SessionID
  readonly permission?: readonly PermissionRule[]
  readonly metadata?: JSONObject
}

/** Changes of a session. Missing fields stay unchanged. */
export interface SessionUpdate {
  readonly title?: string
  /** Archives the session. Lists of unarchived sessions leave it out; otherwise it behaves like any session. */
  readonly archived?: boolean
  readonly permission?: readonly PermissionRule[]
  /** Replaces the stored metadata. */
  readonly metadata?: JSONObject
}

export interface SessionsDeps extends JournalDeps, EditDeps {
  readonly storage: Storage
  readonly ids: IDSource
  readonly drafts: Drafts
  /** Returns the project id of a directory, if it is known already. */
  readonly knownProjectID: (directory: string) => string | undefined
}

/** Operations on sessions, without their messages. Unknown ids reject with NotFoundError. */
export interface Sessions {
  /** Returns a new session that is not stored before its first prompt. */
  draft(input: CreateSessionInput): Session
  create(input: CreateSessionInput): Promise<Session>
  get(id: SessionID): Promise<Session>
  /** Lists sessions, newest first. */
  list(query?: SessionQuery): AsyncIterable<Session>
  update(id: SessionID, changes: SessionUpdate): Promise<Session>
  /** Returns the sessions directly below the session, newest first. */
  children(id: SessionID): Promise<Session[]>
}

/** The project of sessions outside of git, and of sessions whose first commit is not known yet. */
export const NO_PROJECT = "global"

export function createSessions(deps: SessionsDeps): Sessions {
  const { storage, bus, ids, now } = deps

  async function get(id: SessionID): Promise<Session> {
    const session = deps.drafts.get(id) ?? (await storage.getSession(id))
    if (!session || isUnfinishedFork(session)) throw missingSession(id, storage.location)
    return session
  }
  async function* list(query?: SessionQuery): AsyncGenerator<Session> {
    for await (const session of storage.listSessions(query)) if (!isUnfinishedFork(session)) yield session
  }

  async function patch(id: SessionID, changes: SessionChanges, lease?: Lease): Promise<void> {
    await writeSession(deps, id, [{ type: "session.patch", changes }], lease)
  }

  function newSession({ directory, title, projectID, parentID, permission, metadata }: CreateSessionInput) {
    const time = { created: now(), updated: now() }
    const kind = parentID ? "Child" : "New"
    const session: Session = {
      id: ids.session(),
      projectID: projectID ?? deps.knownProjectID(directory) ?? NO_PROJECT,
      directory,
      title: title ?? `${kind} session - ${new Date(time.created).toISOString()}`,
      version: VERSION,
      time,
      ...(parentID ? { parentID } : {}),
      ...(permission ? { permission: [...permission] } : {}),
      ...(metadata ? { metadata } : {}),
    }
    return session
  }

  /** Changes a draft. Returns false if the session is stored already. */
  function changeDraft(id: SessionID, { time, ...changes }: SessionChanges): boolean {
    const session = deps.drafts.get(id)
    if (session) deps.drafts.set(id, { ...session, ...changes, time: { ...session.time, ...time } } as Session)
    return session !== undefined
  }

  return {
    get,
    list,
    draft(input) {
      const session = newSession(input)
      keepDraft(deps.drafts, session)
      return session
    },
    async create(input) {
      const session = newSession(input)
      const revision = await storage.commit(session.id, [{ type: "session.put", session }])
      bus.publish("session.created", { sessionID: session.id, info: session }, { revision, isWhole: true })
      return session
    },
    async update(id, { title, archived, permission, metadata }) {
      const { time } = await get(id)
      const changes = {
        ...(permission === undefined ? {} : { permission: [...permission] }),
        ...(metadata === undefined ? {} : { metadata }),
        time: { ...archiving(time, archived, now()), updated: now() },
      }
      const named = title === undefined ? changes : { ...changes, title }
      if (deps.drafts.has(id) && (await deps.inTurn(id, async () => changeDraft(id, named)))) return get(id)
      if (title === undefined) await patch(id, changes)
      // A prompt sets a title after it has read the old one, so a change of the title must not run beside it.
      else await editSession(deps, id, ids.other("update"), (lease) => patch(id, named, lease))
      return get(id)
    },
    async children(id) {
      await get(id)
      return collected(list({ parentID: id }))
    },
  }
}

export function missingSession(id: SessionID, location: string): NotFoundError {
  return new NotFoundError(`There is no session ${id} in ${location}.`)
}

function archiving({ archived: since }: Session["time"], archived: boolean | undefined, now: number) {
  if (archived === undefined) return {}
  return { archived: archived ? (since ?? now) : undefined }
}

import { hidePasswords } from "@pawl/config/hide-passwords"
import { isSessionID, type Session, type SessionID } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { UsageError } from "@pawl/config/usage-error"
import { plainLine } from "@pawl/plain-text"
import { collected } from "./collected.ts"

/** The user's choice of a session. */
export type SessionChoice =
  | { readonly type: "new"; readonly title?: string | undefined }
  /** The newest session of the directory that has no parent. */
  | { readonly type: "newest" }
  | { readonly type: "id"; readonly id: string }

/** Returns the chosen session. Throws UsageError if it does not exist. */
export async function findSession(
  storage: Storage,
  choice: Exclude<SessionChoice, { type: "new" }>,
  directory: string,
): Promise<Session> {
  if (choice.type === "id") return sessionByID(storage, choice.id)
  for await (const session of storage.listSessions({ directory, parentID: null, archived: false, limit: 1 }))
    return session
  throw new UsageError(
    `There is no session of ${directory} to continue.`,
    'Begin one: pawl run "<task>". Those of other directories: pawl session list --all',
  )
}

/** Returns the session with this id or unique prefix of an id. Throws UsageError for no match and for several. */
export async function sessionByID(storage: Storage, id: string): Promise<Session> {
  if (id === "") throw new UsageError("The id of the session is empty.", SEE_LIST)
  const session = isSessionID(id) ? await storage.getSession(id) : undefined
  if (session) return session
  const found = await beginningWith(storage, id)
  const [only] = found
  if (!only) throw new UsageError(`There is no session ${id} in ${hidePasswords(storage.location)}.`, SEE_LIST)
  if (found.length > 1) throw severalSessions(id, found)
  return only
}

/** Returns the sessions of all ids, each one once. */
export async function sessionsByID(storage: Storage, ids: readonly string[]): Promise<Session[]> {
  const sessions = await Promise.all(ids.map((id) => sessionByID(storage, id)))
  return Array.from(new Map(sessions.map((session) => [session.id, session])).values())
}

/** Returns the error that lists the matching sessions, newest first. */
export function severalSessions(id: string, found: readonly Pick<Session, "id" | "title">[]): UsageError {
  const shown = found.slice(0, SHOWN).map((session) => `  ${session.id}  ${plainLine(session.title)}`)
  const lines = [...shown, ...(found.length > SHOWN ? ["  and others"] : []), "Write more of the id."]
  return new UsageError(`The ids of several sessions begin with ${id}:`, lines.join("\n"))
}

/** Returns the prefix of an id. Undefined if it is too short to identify a session. */
export function idBeginning(text: string): SessionID | undefined {
  const [, rest] = /^(?:ses_)?([\dA-Za-z]{4,64})$/.exec(text) ?? []
  return rest === undefined ? undefined : `ses_${rest}`
}

const SEE_LIST = "See: pawl session list --all"

/** Number of matching sessions to list. */
const SHOWN = 8

/** Returns at most one more session than are listed. */
async function beginningWith(storage: Storage, text: string): Promise<Session[]> {
  const beginning = idBeginning(text)
  if (beginning === undefined) return []
  // Sorted by id, they follow their common prefix.
  const found = await collected(storage.listSessions({ after: beginning, limit: SHOWN + 1 }))
  return found.filter(({ id }) => id.startsWith(beginning))
}

import { hidePasswords } from "@pawl/config/hide-passwords"
import { isSessionID, type Session, type Storage } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"

/** Which session is meant. */
export type SessionChoice =
  | { readonly type: "new"; readonly title?: string | undefined }
  /** The newest of the directory that is nobody's child. */
  | { readonly type: "newest" }
  | { readonly type: "id"; readonly id: string }

/** The stored session that is meant. Throws UsageError when there is none. */
export async function findSession(
  storage: Storage,
  choice: Exclude<SessionChoice, { type: "new" }>,
  directory: string,
): Promise<Session> {
  if (choice.type === "id") return sessionByID(storage, choice.id)
  for await (const session of storage.listSessions({ directory, parentID: null, archived: false, limit: 1 }))
    return session
  throw new UsageError(
    `There is no session of ${directory} to go on with.`,
    'Begin one: pawl run "<task>". Those of other directories: pawl session list --all',
  )
}

export async function sessionByID(storage: Storage, id: string): Promise<Session> {
  const session = isSessionID(id) ? await storage.getSession(id) : undefined
  if (session) return session
  throw new UsageError(
    `There is no session ${id} in ${hidePasswords(storage.location)}.`,
    "See: pawl session list --all",
  )
}

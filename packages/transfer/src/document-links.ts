import { isSessionID, type SessionID } from "@pawl/core/record"
import type { SessionDocument } from "./document.ts"
import { DocumentError, EXPORT_AGAIN, jsonPath } from "./document-error.ts"
import { leadsToItself } from "./parents.ts"

/**
 * Checks that every record names its owner, that ids are unique, and that no session is its own ancestor. Throws
 * DocumentError.
 */
export function checkLinks({ sessions }: SessionDocument): void {
  const seen = new Set<string>()
  const once = (id: string, path: readonly PropertyKey[]) => {
    if (seen.has(id)) throw new DocumentError(jsonPath(path), `The id ${id} stands here a second time.`, EXPORT_AGAIN)
    seen.add(id)
  }
  const same = (found: string, owner: string, path: readonly PropertyKey[]) => {
    if (found === owner) return
    throw new DocumentError(jsonPath(path), `The record stands in ${owner} and says ${found}.`, EXPORT_AGAIN)
  }
  const parents = new Map(sessions.map(({ session }) => [session.id, session.parentID]))
  for (const [s, { session, messages }] of sessions.entries()) {
    const place = ["sessions", s, "session"]
    if (!isSessionID(session.id)) throw unusableID(session.id, place)
    once(session.id, [...place, "id"])
    if (leadsToItself(session.id, parents)) {
      throw new DocumentError(jsonPath([...place, "parentID"]), "The session stands below itself.", EXPORT_AGAIN)
    }
    for (const [m, { info, parts }] of messages.entries()) {
      const at = ["sessions", s, "messages", m]
      once(`${session.id} ${info.id}`, [...at, "info", "id"])
      same(info.sessionID, session.id, [...at, "info", "sessionID"])
      for (const [p, part] of parts.entries()) {
        const place = [...at, "parts", p]
        once(`${session.id} ${info.id} ${part.id}`, [...place, "id"])
        same(part.sessionID, session.id, [...place, "sessionID"])
        same(part.messageID, info.id, [...place, "messageID"])
      }
    }
  }
}

/** Such a session could be listed, but not named on a command line. */
function unusableID(id: SessionID, place: readonly PropertyKey[]): DocumentError {
  const reason = `${JSON.stringify(id.slice(0, 100))} is not a valid session id: "ses_" must be followed by 1 to 64 letters and digits.`
  return new DocumentError(jsonPath([...place, "id"]), reason, EXPORT_AGAIN)
}

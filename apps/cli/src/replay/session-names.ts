import type { Session } from "@pawl/core"
import type { RecordedSession } from "@pawl/provider-replay"

/** What sessions are called in a recording: `s1` is the first that is named. */
export interface SessionNames {
  nameOf(sessionID: string): string
  has(sessionID: string): boolean
}

export function createSessionNames(): SessionNames {
  const names = new Map<string, string>()
  return {
    nameOf(sessionID) {
      const name = names.get(sessionID) ?? `s${names.size + 1}`
      names.set(sessionID, name)
      return name
    },
    has: (sessionID) => names.has(sessionID),
  }
}

/** What a recording says of a session. The one that it is of has nothing above it. */
export function sessionLine(
  { id, parentID, delegation, agent }: Session,
  isRoot: boolean,
  { nameOf }: Pick<SessionNames, "nameOf">,
): RecordedSession {
  const parent = isRoot || parentID === undefined ? undefined : nameOf(parentID)
  return { session: nameOf(id), id, parent, call: delegation?.callID, agent }
}

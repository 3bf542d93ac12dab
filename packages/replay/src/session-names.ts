import type { Session } from "@pawl/core"
import type { RecordedSession } from "@pawl/provider-replay"

/** Names the sessions of a recording: `s1` is the first one. */
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

/** Returns the line of a session in a recording. The recorded session itself has no parent. */
export function sessionLine(
  { id, parentID, delegation, agent }: Session,
  isRoot: boolean,
  { nameOf }: Pick<SessionNames, "nameOf">,
): RecordedSession {
  const parent = isRoot || parentID === undefined ? undefined : nameOf(parentID)
  return { session: nameOf(id), id, parent, call: delegation?.callID, agent }
}

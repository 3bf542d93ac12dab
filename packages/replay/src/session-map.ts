import type { EngineEvent, Session } from "@pawl/core"
import { type Recording, ROOT } from "@pawl/provider-replay"

/** Maps sessions of a replay to those of the recording. */
export interface SessionMap {
  /** Returns the name of a session in the recording; undefined for another session. */
  nameOf(sessionID: string): string | undefined
  /** Returns the session of this replay for a recorded session id; undefined if it has not started yet. */
  hereOf(recordedID: string): string | undefined
  /** `stored`: ids of imported sessions, which are the recorded ones. */
  begin(rootID: string, stored?: readonly string[]): void
  follow(event: EngineEvent): void
}

/** Identifies subagent sessions by the call that started them. */
export function createSessionMap({ sessions }: Pick<Recording, "sessions">): SessionMap {
  const names = new Map<string, string>()
  const ids = new Map<string, string>()

  function know(id: string, name: string): void {
    names.set(id, name)
    ids.set(name, id)
  }

  function onCreated({ id, parentID, delegation, agent }: Session): void {
    const parent = parentID === undefined ? undefined : names.get(parentID)
    if (parent === undefined) return
    const open = sessions.filter((each) => each.parent === parent && !ids.has(each.session))
    // A call that the engine created has a new id in each run.
    const found = open.find(({ call }) => call === delegation?.callID) ?? open.find((each) => each.agent === agent)
    if (found) know(id, found.session)
  }

  return {
    nameOf: (sessionID) => names.get(sessionID),
    hereOf: (recordedID) => ids.get(sessions.find(({ id }) => id === recordedID)?.session ?? ""),
    begin(rootID, stored = []) {
      for (const { id, session } of sessions) if (id !== undefined && stored.includes(id)) know(id, session)
      know(rootID, ROOT)
    },
    follow: (event) => {
      if (event.type === "session.created") onCreated(event.properties.info)
    },
  }
}

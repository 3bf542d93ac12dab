import type { SessionID } from "@pawl/core/tool"
import type { People } from "../serve-host.ts"

/** Whom the questions of a session go to: the client whose prompt it works on. */
export interface Askers {
  readonly people: Required<People>
  /** Returns what ends it. */
  add(sessionID: SessionID, asker: People): () => void
}

/** Where nobody's prompt is worked on any more, what is asked is refused. */
export function createAskers(): Askers {
  const working = new Map<SessionID, readonly People[]>()
  const askerOf = ({
    sessionID,
    rootSessionID,
  }: {
    readonly sessionID: SessionID
    readonly rootSessionID: SessionID
  }) => working.get(sessionID)?.[0] ?? working.get(rootSessionID)?.[0]
  return {
    people: {
      ask: async (request, signal) => askerOf(request)?.ask?.(request, signal) ?? "reject",
      askChoice: async (request, signal) => askerOf(request)?.askChoice?.(request, signal),
    },
    add(sessionID, asker) {
      working.set(sessionID, [...(working.get(sessionID) ?? []), asker])
      return () => {
        const others = (working.get(sessionID) ?? []).filter((each) => each !== asker)
        if (others.length === 0) working.delete(sessionID)
        else working.set(sessionID, others)
      }
    },
  }
}

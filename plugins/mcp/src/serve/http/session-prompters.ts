import type { SessionID } from "@pawl/core/tool"
import type { Prompters } from "../serve-host.ts"

/** Routes a session's questions to the client whose prompt is running. */
export interface SessionPrompters {
  readonly people: Required<Prompters>
  /** Returns a function that removes the client. */
  add(sessionID: SessionID, asker: Prompters): () => void
}

/** Refuses a question if no client's prompt is running. */
export function createSessionPrompters(): SessionPrompters {
  const working = new Map<SessionID, readonly Prompters[]>()
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

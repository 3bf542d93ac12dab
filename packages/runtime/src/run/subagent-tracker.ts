import type { EngineEvent } from "@pawl/core"

/** A child session of the run's session. */
export interface Subagent {
  readonly sessionID: string
  /** Name of its agent. */
  readonly name: string
}

/** Tracks the child sessions of a run by their events. */
export interface SubagentTracker {
  follow(event: EngineEvent): void
  /** Returns the subagent of a session. Undefined for the run's own session, and without a session. */
  subagentOf(sessionID: string | undefined): Subagent | undefined
}

const UNKNOWN_AGENT = "a subagent"

/** Creates a tracker. All other sessions of the engine are children of `root`. */
export function createSubagentTracker(root: string): SubagentTracker {
  const agents = new Map<string, string>()
  return {
    follow(event) {
      if (event.type === "message.updated") agents.set(event.properties.sessionID, event.properties.info.agent)
      if (event.type !== "session.created" && event.type !== "session.updated") return
      const { id, agent } = event.properties.info
      if (agent !== undefined) agents.set(id, agent)
    },
    subagentOf(sessionID) {
      if (sessionID === undefined || sessionID === root) return undefined
      return { sessionID, name: agents.get(sessionID) ?? UNKNOWN_AGENT }
    },
  }
}

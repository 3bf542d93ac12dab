import type { EngineEvent } from "@pawl/core"

/** A session below the one that is worked on. */
export interface Subagent {
  readonly sessionID: string
  /** Its agent. */
  readonly name: string
}

/** Knows the sessions that work for the one of a run, from their events. */
export interface Family {
  follow(event: EngineEvent): void
  /** Undefined for the session of the run itself, and for what is about none. */
  subagentOf(sessionID: string | undefined): Subagent | undefined
}

const UNKNOWN = "a subagent"

/** An engine that works on one session works on nothing else but what is below it. */
export function createFamily(root: string): Family {
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
      return { sessionID, name: agents.get(sessionID) ?? UNKNOWN }
    },
  }
}

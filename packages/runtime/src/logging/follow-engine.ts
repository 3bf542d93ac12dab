import type { Engine, EngineEvent } from "@pawl/core"
import { isStoredAgain, type Part } from "@pawl/core/record"
import type { Log, LogRecord } from "./log.ts"

type Facts = LogRecord["facts"]

/** Notes what happens in an engine, without what was said there. The returned function ends it. */
export function followEngine(engine: Pick<Engine, "subscribe">, log: Log): () => void {
  /** Milliseconds since the epoch, by message. */
  const steps = new Map<string, number>()
  return engine.subscribe((event) => {
    const told = event.type === "message.part.updated" ? ofPart(event.properties, steps) : ofEvent(event)
    if (told) log.write(told.level ?? "info", told.event, told.facts)
  })
}

interface Told {
  readonly level?: "debug" | "warn" | "error"
  readonly event: string
  readonly facts: Facts
}

function ofPart(
  { part, time }: { readonly part: Part; readonly time: number },
  steps: Map<string, number>,
): Told | undefined {
  const { sessionID, messageID } = part
  if (part.type === "step-start") steps.set(messageID, time)
  if (part.type === "step-finish") {
    const started = steps.get(messageID)
    steps.delete(messageID)
    const ms = started === undefined ? undefined : time - started
    const { reason, cost, tokens } = part
    return { event: "step", facts: { sessionID, messageID, ms, reason, cost, tokens } }
  }
  if (isStoredAgain(part)) return undefined
  if (part.type !== "tool" || (part.state.status !== "completed" && part.state.status !== "error")) return undefined
  const { start, end } = part.state.time
  return { event: "tool", facts: { sessionID, tool: part.tool, ms: end - start, outcome: part.state.status } }
}

function ofEvent({ type, properties }: EngineEvent): Told | undefined {
  switch (type) {
    case "session.created": {
      const { parentID, agent, directory } = properties.info
      return { event: "session", facts: { sessionID: properties.sessionID, parentID, agent, directory } }
    }
    case "session.status": {
      const { sessionID, status } = properties
      if (status.type !== "retry") return { level: "debug", event: status.type, facts: { sessionID } }
      const { attempt, kind, message, next } = status
      const facts = { sessionID, attempt, kind, message, next: new Date(next).toISOString() }
      return { level: "warn", event: "retry", facts }
    }
    case "session.error": {
      const { sessionID, error } = properties
      return {
        level: "error",
        event: "session-error",
        facts: { sessionID, name: error.name, message: error.data.message },
      }
    }
    case "session.compacted":
      return { event: "compacted", facts: { sessionID: properties.sessionID } }
    case "session.notice":
      return { level: "warn", event: "notice", facts: { ...properties } }
    case "permission.asked": {
      const { sessionID, id, permission, refused } = properties
      return {
        event: "permission",
        facts: { sessionID, id, permission, verdict: refused ? "refused" : "asked", ...refused },
      }
    }
    case "permission.replied": {
      const { sessionID, requestID: id, reply } = properties
      return { event: "permission", facts: { sessionID, id, verdict: reply } }
    }
    case "storage.damaged":
      return {
        level: "error",
        event: "damaged",
        facts: { sessionID: properties.sessionID, problems: properties.problems.length },
      }
    case "plugin.error":
    case "plugin.disabled":
      return { level: "error", event: type.replace(".", "-"), facts: { ...properties } }
    default:
      return undefined
  }
}

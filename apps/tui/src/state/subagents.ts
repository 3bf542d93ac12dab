import type { EngineEvent } from "@pawl/core"
import { plainLine } from "@pawl/plain-text"
import { toolSubject } from "@pawl/terminal-text/tool-subject"
import type { SessionView, Subagent } from "./view.ts"

type Subagents = SessionView["subagents"]

/** Follows the sessions below the shown one. Returns the same map if nothing changed. */
export function followSubagent(
  { session, subagents }: Pick<SessionView, "session" | "subagents">,
  event: EngineEvent,
): Subagents {
  if (event.type === "session.created" || event.type === "session.updated") {
    const { id, parentID, title, agent = "subagent" } = event.properties.info
    if (parentID === undefined || (parentID !== session?.id && !subagents.has(parentID))) return subagents
    const known = subagents.get(id)
    return new Map(subagents).set(id, { isBusy: true, ...known, sessionID: id, parentID, title, agent })
  }
  if (!("sessionID" in event.properties) || event.properties.sessionID === undefined) return subagents
  const child = subagents.get(event.properties.sessionID)
  if (!child) return subagents
  const next = followChild(child, event)
  return next === child ? subagents : new Map(subagents).set(child.sessionID, next)
}

function followChild(child: Subagent, event: EngineEvent): Subagent {
  if (event.type === "session.status") return { ...child, isBusy: event.properties.status.type !== "idle" }
  if (event.type === "session.idle") return { ...child, isBusy: false }
  if (event.type !== "message.part.updated") return child
  const { part } = event.properties
  if (part.type === "tool" && part.state.status === "running") {
    return { ...child, isBusy: true, activity: `${plainLine(part.tool)} ${toolSubject(part, "")}`.trim() }
  }
  return child
}

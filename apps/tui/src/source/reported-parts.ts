import type { EngineEvent, MessageWithParts, Part } from "@pawl/core"

/** The reported parts of the shown session: a part that is read again is reported once. */
export interface ReportedParts {
  /** Starts over with the messages of a session. */
  readonly show: (sessionID: string, messages: readonly MessageWithParts[]) => void
  readonly sessionID: () => string | undefined
  /** Returns the event as the UI needs it. Undefined if it says nothing more. Events of other sessions are returned. */
  readonly next: (event: EngineEvent) => EngineEvent | undefined
}

export function createReportedParts(): ReportedParts {
  let shown: string | undefined
  const roles = new Map<string, "user" | "assistant">()
  const finished = new Set<string>()
  /** Texts that are being written, as far as they were reported. */
  const texts = new Map<string, string>()
  /** Texts whose beginning was read and not streamed: what was written in between is not known. */
  const incomplete = new Set<string>()

  /** Takes note of a part. Returns it with the longest text that was reported; undefined if it was finished before. */
  function follow(part: Part): Part | undefined {
    if (finished.has(part.id)) return undefined
    const before = texts.get(part.id) ?? ""
    if (isFinished(part, roles.get(part.messageID))) {
      finished.add(part.id)
      texts.delete(part.id)
      incomplete.delete(part.id)
      return part
    }
    if (part.type !== "text" && part.type !== "reasoning") return part
    // After the death of a process, less of a text may be stored than was streamed.
    const text = before.startsWith(part.text) ? before : part.text
    texts.set(part.id, text)
    return text === part.text ? part : { ...part, text }
  }

  return {
    sessionID: () => shown,
    show(sessionID, messages) {
      shown = sessionID
      for (const each of [roles, finished, texts, incomplete]) each.clear()
      for (const { info, parts } of messages) {
        roles.set(info.id, info.role)
        for (const part of parts) {
          follow(part)
          if (texts.has(part.id)) incomplete.add(part.id)
        }
      }
    },
    next(event) {
      if (!("sessionID" in event.properties) || event.properties.sessionID !== shown) return event
      if (event.type === "message.updated") roles.set(event.properties.info.id, event.properties.info.role)
      if (event.type === "message.part.updated") {
        const { part } = event.properties
        incomplete.delete(part.id)
        const reported = follow(part)
        if (!reported) return undefined
        return reported === part ? event : { ...event, properties: { ...event.properties, part: reported } }
      }
      if (event.type !== "message.part.delta") return event
      const { partID, delta } = event.properties
      if (incomplete.has(partID) || finished.has(partID)) return undefined
      texts.set(partID, (texts.get(partID) ?? "") + delta)
      return event
    },
  }
}

function isFinished(part: Part, role: "user" | "assistant" | undefined): boolean {
  if (part.type === "reasoning") return part.time.end !== undefined
  if (part.type === "text") return role === "user" || part.synthetic === true || part.time?.end !== undefined
  if (part.type === "tool") return part.state.status === "completed" || part.state.status === "error"
  return true
}

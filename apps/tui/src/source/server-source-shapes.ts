import type { Event, Message, Part as ServerPart, Session as ServerSession } from "@pawl/client"
import type { EngineEvent, MessageWithParts, Session } from "@pawl/core"

/** Converts a session of the server, which has OpenCode's form. Fields that only pawl has are missing. */
export function toSession({ model, share: _share, slug: _slug, ...others }: ServerSession): Session {
  const chosen = model && {
    model: { providerID: model.providerID, modelID: model.id },
    ...(model.variant === undefined ? {} : { variant: model.variant }),
  }
  return { ...others, ...chosen } as Session
}

export function toMessage(message: {
  readonly info: Message
  readonly parts: readonly ServerPart[]
}): MessageWithParts {
  return { info: toInfo(message.info), parts: message.parts as MessageWithParts["parts"] }
}

function toInfo(info: Message): MessageWithParts["info"] {
  if (info.role === "assistant") return info as MessageWithParts["info"]
  const { variant, ...model } = info.model
  return { ...info, model, ...(variant === undefined ? {} : { variant }) } as MessageWithParts["info"]
}

/** Types of events that have the same form in the engine. */
const SAME: ReadonlySet<string> = new Set([
  ...["session.status", "session.idle", "session.error", "session.diff", "message.removed"],
  ...["message.part.updated", "message.part.delta", "message.part.removed", "todo.updated"],
])

/** Converts an event of the server. Undefined for events that the engine does not have. `root`: of its session */
export function toEngineEvent(event: Event, root: string): EngineEvent | undefined {
  const { id, type } = event
  const converted = (properties: object) => ({ id, type, properties }) as EngineEvent
  switch (type) {
    case "session.created":
    case "session.updated":
    case "session.deleted":
      return converted({ ...event.properties, info: toSession(event.properties.info) })
    case "message.updated":
      return converted({ ...event.properties, info: toInfo(event.properties.info) })
    case "permission.asked":
    case "permission.replied":
    case "question.asked":
    case "question.replied":
    case "question.rejected":
      return converted({ ...event.properties, rootSessionID: root })
    case "session.compacted": {
      // OpenCode's event has no sizes.
      const { sessionID } = event.properties
      const message = "Older messages were replaced by a summary."
      return { id, type: "session.notice", properties: { sessionID, message } } as EngineEvent
    }
    default:
      return SAME.has(type) ? converted(event.properties) : undefined
  }
}

import type { EngineEvent } from "@pawl/core"
import type { Change, SessionID } from "@pawl/core/storage"

/** Returns the event that reports a stored change. */
export function changeEvent(id: string, sessionID: SessionID, change: Change): EngineEvent {
  switch (change.type) {
    case "session.put":
      return { id, type: "session.updated", properties: { sessionID, info: change.session } }
    case "message.put":
      return { id, type: "message.updated", properties: { sessionID, info: change.message } }
    case "part.put":
      return { id, type: "message.part.updated", properties: { sessionID, part: change.part, time: Date.now() } }
    case "message.remove":
      return { id, type: "message.removed", properties: { sessionID, messageID: change.messageID } }
    case "part.remove": {
      const { messageID, partID } = change
      return { id, type: "message.part.removed", properties: { sessionID, messageID, partID } }
    }
  }
}

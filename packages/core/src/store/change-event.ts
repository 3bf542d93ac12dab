import type { SessionID } from "../base/ids.ts"
import type { EngineEvent } from "../contracts/events.ts"
import type { Change } from "../contracts/storage.ts"

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

/** Returns the id of the record that an event reports. */
export function recordID({ properties }: { readonly properties: object }): string {
  const { info, part, partID, messageID } = properties as EventOfRecord
  return info?.id ?? part?.id ?? partID ?? messageID ?? ""
}

/** The ids in an event, also in one that a client gets. */
interface EventOfRecord {
  readonly info?: { readonly id: string }
  readonly part?: { readonly id: string }
  readonly partID?: string
  readonly messageID?: string
}

import type { EngineEvent } from "@pawl/core"
import { openCodeError } from "./error.ts"
import { openCodeMessage } from "./message.ts"
import { isOwnPart, openCodePart } from "./part.ts"
import { openCodePermission, openCodeQuestion } from "./request.ts"
import { openCodeSession } from "./session.ts"
import { openCodeTodos } from "./todo.ts"

export interface OpenCodeEvent {
  readonly id: string
  readonly type: string
  readonly properties: Readonly<Record<string, unknown>>
}

type TypedProperties = readonly (readonly [type: string, properties: Readonly<Record<string, unknown>>])[]

/** Converts an engine event to events of OpenCode 1.x, in order; empty if OpenCode has no counterpart. */
export function openCodeEvents(event: EngineEvent): readonly OpenCodeEvent[] {
  return convert(event).map(([type, properties], at) => ({
    id: at === 0 ? event.id : `${event.id}${at}`,
    type,
    properties,
  }))
}

function convert(event: EngineEvent): TypedProperties {
  switch (event.type) {
    case "session.created":
    case "session.updated":
    case "session.deleted": {
      const { sessionID, info } = event.properties
      return [[event.type, { sessionID, info: openCodeSession(info) }]]
    }
    case "session.status":
    case "session.idle":
    case "message.removed":
    case "message.part.removed":
    case "message.part.delta":
    case "session.diff":
      return [[event.type, event.properties]]
    case "session.compacted":
      // OpenCode does not report pruning.
      return event.properties.strategy === "prune" ? [] : [[event.type, { sessionID: event.properties.sessionID }]]
    case "session.error": {
      const { sessionID, error } = event.properties
      return [[event.type, { ...(sessionID ? { sessionID } : {}), error: openCodeError(error) }]]
    }
    case "message.updated": {
      const { sessionID, info } = event.properties
      return [[event.type, { sessionID, info: openCodeMessage(info) }]]
    }
    case "message.part.updated": {
      const { sessionID, part, time } = event.properties
      return isOwnPart(part) ? [] : [[event.type, { sessionID, part: openCodePart(part), time }]]
    }
    case "permission.asked":
      return [[event.type, openCodePermission(event.properties)]]
    case "permission.replied": {
      const { sessionID, requestID, reply } = event.properties
      return [[event.type, { sessionID, requestID, reply }]]
    }
    case "question.asked":
      return [[event.type, openCodeQuestion(event.properties)]]
    case "question.replied": {
      const { sessionID, requestID, answers } = event.properties
      return [[event.type, { sessionID, requestID, answers }]]
    }
    case "question.rejected": {
      const { sessionID, requestID } = event.properties
      return [[event.type, { sessionID, requestID }]]
    }
    case "todo.updated": {
      const { sessionID, todos } = event.properties
      return [[event.type, { sessionID, todos: openCodeTodos(todos) }]]
    }
    case "file.edited": {
      const { file } = event.properties
      return [
        [event.type, { file }],
        ["file.watcher.updated", { file, event: "change" }],
      ]
    }
    default:
      return []
  }
}

import type { MessageWithParts, SessionID, Storage } from "@pawl/core/storage"
import type { Todo } from "./todo-list.ts"

export const TODOWRITE = "todowrite"

/** The newest list of a session; empty where none was made. */
export type ReadTodos = (sessionID: SessionID) => Promise<readonly Todo[]>

/** Looks back through the session's record to its newest list, also beyond a restart or a compaction. */
export function storedTodos(storage: Pick<Storage, "readMessages">): ReadTodos {
  return async (sessionID) => {
    for await (const message of storage.readMessages(sessionID)) {
      const todos = todosOf(message)
      if (todos) return todos
    }
    return []
  }
}

function todosOf({ parts }: MessageWithParts): readonly Todo[] | undefined {
  const call = parts.findLast((part) => {
    return part.type === "tool" && part.tool === TODOWRITE && part.state.status === "completed"
  })
  const todos = call?.type === "tool" ? call.state.input["todos"] : undefined
  return Array.isArray(todos) ? (todos as Todo[]) : undefined
}

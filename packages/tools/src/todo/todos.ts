import type { MessageWithParts, SessionID, Storage } from "@pawl/core/storage"
import type { Todo } from "./todo-list.ts"

export const TODOWRITE = "todowrite"

/** Returns a session's newest list; empty if it has none. */
export type ReadTodos = (sessionID: SessionID) => Promise<readonly Todo[]>

/** Finds the newest list in the stored session, also after a restart or a compaction. */
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

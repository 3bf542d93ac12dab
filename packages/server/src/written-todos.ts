import type { Engine, SessionID } from "@pawl/core"
import type { JSONObject } from "@pawl/core/record"

/** Returns the newest list of tasks that the session's agent has written; empty if there is no list. */
export async function writtenTodos(
  engine: Pick<Engine, "getSession" | "readMessages">,
  sessionID: SessionID,
): Promise<readonly JSONObject[]> {
  await engine.getSession(sessionID)
  for await (const { parts } of engine.readMessages(sessionID)) {
    const call = parts.findLast((part) => {
      return part.type === "tool" && part.tool === "todowrite" && part.state.status === "completed"
    })
    const todos = call?.type === "tool" ? call.state.input["todos"] : undefined
    if (Array.isArray(todos)) return todos as JSONObject[]
  }
  return []
}

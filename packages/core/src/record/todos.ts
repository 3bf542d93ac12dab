import type { JSONObject } from "../base/json.ts"
import type { Part } from "./message.ts"

/** The tool that writes the list of tasks. */
const TODOWRITE = "todowrite"

/** Returns the list that a call has written; undefined for all other parts. */
export function writtenTodos(part: Part): readonly JSONObject[] | undefined {
  if (part.type !== "tool" || part.tool !== TODOWRITE || part.state.status !== "completed") return undefined
  const todos = part.state.input["todos"]
  return Array.isArray(todos) ? (todos as JSONObject[]) : undefined
}

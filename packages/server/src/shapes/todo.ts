import type { JSONObject } from "@pawl/core/record"

/** `id` is for older clients. Default: the position in the list. */
export function openCodeTodos(todos: readonly JSONObject[]) {
  return todos.map(({ content, status, priority, id }, at) => ({
    content: typeof content === "string" ? content : "",
    status: typeof status === "string" ? status : "pending",
    priority: typeof priority === "string" ? priority : "medium",
    id: typeof id === "string" ? id : String(at + 1),
  }))
}

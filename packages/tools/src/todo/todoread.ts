import { defineTool, type JSONObject, type Tool } from "@pawl/core/tool"
import { toolInput } from "../tool-input.ts"
import { openCount, renderTodos } from "./todo-list.ts"
import type { ReadTodos } from "./todos.ts"

const input = toolInput("todoread", {})
type Input = ReturnType<typeof input.parse>

/** Reads the list that `todowrite` stores. */
export function todoreadTool(read: ReadTodos): Tool<Input> {
  return defineTool<Input>({
    name: "todoread",
    description: "Reads the list of tasks that todowrite keeps, as it was last written.",
    ...input,
    effect: "pure",
    permissions: () => [{ permission: "todoread", patterns: ["*"] }],
    async execute(_call, { sessionID }) {
      const todos = await read(sessionID)
      return {
        title: openCount(todos),
        output: renderTodos(todos),
        metadata: { todos: todos as unknown as JSONObject[] },
      }
    },
  })
}

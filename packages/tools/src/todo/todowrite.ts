import { defineTool, type Tool } from "@pawl/core/tool"
import { toolInput } from "../tool-input.ts"
import { openCount, renderTodos, todosField } from "./todo-list.ts"
import { TODOWRITE } from "./todos.ts"

const input = toolInput(TODOWRITE, { todos: todosField })
type Input = ReturnType<typeof input.parse>

/** Stores the agent's plan. The tool call itself is the stored list, so it survives compactions. */
export function todowriteTool(): Tool<Input> {
  return defineTool<Input>({
    name: TODOWRITE,
    description:
      "Keeps a list of the tasks of a larger piece of work, so that you and the user see what is done and what is left. " +
      "Use it for work of three steps or more; not for a single step or a question. Give the whole list each time. " +
      "Have one task in_progress at a time, and mark each completed as soon as it is.",
    ...input,
    effect: "idempotent",
    changes: "none",
    permissions: () => [{ permission: TODOWRITE, patterns: ["*"] }],
    async execute({ todos }) {
      const shown = renderTodos(todos)
      const active = todos.filter(({ status }) => status === "in_progress").length
      const advice = active > 1 ? `\n\n(${active} tasks are in_progress. Work on one at a time.)` : ""
      return {
        title: openCount(todos),
        output: `${shown}${advice}`,
        metadata: { todos },
      }
    },
  })
}

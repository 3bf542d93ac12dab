import { choiceField, contentField, listField, objectField, optional, textField } from "../tool-input.ts"

const STATUSES = ["pending", "in_progress", "completed", "cancelled"] as const
const PRIORITIES = ["high", "medium", "low"] as const

export interface Todo {
  readonly content: string
  readonly status: (typeof STATUSES)[number]
  readonly priority?: (typeof PRIORITIES)[number] | undefined
  readonly id?: string | undefined
}

/** Longer lists are not useful, and compactions include the whole list. */
const MAX_TODOS = 200

export const todosField = listField(
  objectField(
    {
      content: textField("What is to be done, in a few words"),
      status: choiceField(STATUSES, "How far it is"),
      priority: optional(choiceField(PRIORITIES, "How much it matters (default medium)")),
      id: optional(contentField("A name of its own, where you want to refer to it")),
    },
    "A task",
  ),
  "The whole list as it is now; it replaces the one before",
  { max: MAX_TODOS },
)

const MARKS: Readonly<Record<Todo["status"], string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[-]",
}

/** Formats one task per line, in the model's order. */
export function renderTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return "The list is empty."
  return todos.map(({ status, content, priority }) => `${MARKS[status]} ${content}${suffix(priority)}`).join("\n")
}

/** Counts open tasks, for titles. */
export function openCount(todos: readonly Todo[]): string {
  const open = todos.filter(({ status }) => status === "pending" || status === "in_progress").length
  return `${open} of ${todos.length} to do`
}

function suffix(priority: Todo["priority"]): string {
  return priority === undefined || priority === "medium" ? "" : ` (${priority})`
}

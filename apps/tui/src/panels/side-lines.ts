import { plainLine } from "@pawl/plain-text"
import type { Theme } from "@pawl/terminal-text/theme"
import { clip, columnsOf } from "@pawl/terminal-text/width"
import type { SessionView } from "../state/view.ts"

const TODO_MARKS: Readonly<Record<string, string>> = { completed: "✓", in_progress: "▸", cancelled: "×" }
const MAX_TODOS = 6

/** Shows the open part of the todo list around the task in progress. */
export function todoLines({ todos }: Pick<SessionView, "todos">, columns: number, theme: Theme): string[] {
  const open = todos.findIndex(({ status }) => status === "in_progress" || status === "pending")
  if (open < 0) return []
  const from = Math.max(0, Math.min(open - 1, todos.length - MAX_TODOS))
  const shown = todos.slice(from, from + MAX_TODOS).map(({ content, status }) => {
    const line = clip(`  ${TODO_MARKS[status] ?? "○"} ${plainLine(content)}`, columns)
    return status === "in_progress" ? theme.strong(line) : theme.faint(line)
  })
  const left = todos.length - shown.length
  return left > 0 ? [...shown, theme.faint(`  … ${left} more`)] : shown
}

/** Shows the subagents at work, and what each does. */
export function subagentLines({ subagents }: Pick<SessionView, "subagents">, columns: number, theme: Theme): string[] {
  return [...subagents.values()]
    .filter(({ isBusy }) => isBusy)
    .map(({ agent, title, activity }) => {
      return theme.faint(clip(`  ↳ ${plainLine(agent)}: ${plainLine(activity ?? title)}`, columns))
    })
}

const MODES: Readonly<Record<string, string>> = { queue: "after the turn", start: "when pawl is ready" }

/** Shows the prompts that wait. */
export function queueLines(
  { queue, status }: Pick<SessionView, "queue" | "status">,
  columns: number,
  theme: Theme,
): string[] {
  return queue.map(({ text, mode }, at) => {
    const isStopped = status === "idle" && mode !== "start"
    const when = isStopped ? "with your next prompt" : (MODES[mode] ?? "next step")
    const hint = at === queue.length - 1 && mode !== "start" ? " · alt+up takes it back" : ""
    return theme.faint(withHint(`  ${when}: ${plainLine(text)}`, hint, columns))
  })
}

/** Shows the prompt that is put aside. */
export function stashLines(stashed: string | undefined, columns: number, theme: Theme): string[] {
  return stashed === undefined
    ? []
    : [theme.faint(withHint(`  put aside: ${plainLine(stashed)}`, " · ctrl+s takes it back", columns))]
}

/** Columns of a text without which its hint is left out. */
const MIN_TEXT_COLUMNS = 30

/** Shortens a text rather than the hint behind it. */
function withHint(text: string, hint: string, columns: number): string {
  const room = columns - columnsOf(hint)
  if (columnsOf(text) <= room) return text + hint
  return room < MIN_TEXT_COLUMNS ? clip(text, columns) : clip(text, room) + hint
}

import type { ToolPart } from "@pawl/core/record"
import { plainLine } from "@pawl/plain-text"
import { toolLines, type ToolLinesLayout } from "./tool-lines.ts"
import { clip } from "./width.ts"

const INDENT = "  "

export interface SubagentLayout extends ToolLinesLayout {
  /** Returns the color of an agent by its name. Undefined for an agent without a color. */
  readonly colorOf: (agent: string) => string | undefined
}

/** Renders the start of a subagent. Empty for other calls. */
export function taskBeginning({ tool, state }: ToolPart, { theme, columns, colorOf }: SubagentLayout): string[] {
  if (tool !== "task") return []
  const { subagent_type: agent, description } = state.input
  const name = typeof agent === "string" ? ` ${plainLine(agent)}` : ""
  const what = typeof description === "string" ? ` · ${plainLine(description)}` : ""
  const line = clip(`▸ task${name}${what}`, columns)
  const rest = line.slice("▸ task".length)
  const shown = rest.startsWith(name) ? theme.inColor(colorOf(name.trim()), name) + rest.slice(name.length) : rest
  return [`${theme.accent("▸")} ${theme.strong("task")}${shown}`]
}

/** Renders a call of a subagent, below the call that started the subagent. */
export function subagentLines(part: ToolPart, agent: string, layout: SubagentLayout): string[] {
  const { theme } = layout
  const label = `${INDENT}${theme.faint(theme.inColor(layout.colorOf(agent), `${plainLine(agent)} ›`))} `
  const columns = layout.columns - plainLine(agent).length - INDENT.length - 3
  // A diff is shown only in the subagent's own session.
  const [first = ""] = toolLines(part, { ...layout, columns })
  return [`${label}${first}`]
}

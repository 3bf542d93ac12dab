import type { Session } from "@pawl/core"
import type { ChildState } from "@pawl/runtime/session/child-state"
import { plainLine } from "@pawl/plain-text"
import { type SessionTableLayout, MIN_TITLE_COLUMNS } from "@pawl/terminal-text/session-table"
import { ago } from "@pawl/terminal-text/quantity"
import { clip, columnsOf } from "@pawl/terminal-text/width"

export interface Child extends Session {
  readonly state: ChildState
}

/** Columns of an agent's name. */
const WIDEST_AGENT = 24

/**
 * Renders a line per session: id, agent, state, time of the last change, title. Ids are never cut. If they leave too little
 * room, the rest gets lines of its own.
 */
export function childrenTable(
  children: readonly Child[],
  { columns, theme, now }: Omit<SessionTableLayout, "hasDirectories">,
): string[] {
  const rows = children.map(({ id, agent = "", state, time, title }) => {
    return {
      id,
      agent: clip(plainLine(agent), WIDEST_AGENT),
      state,
      when: ago(time.updated, now),
      title: plainLine(title),
    }
  })
  const widest = (texts: readonly string[]) => Math.max(...texts.map(columnsOf))
  const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - columnsOf(text)))
  const widths = {
    id: widest(rows.map(({ id }) => id)),
    agent: widest(rows.map(({ agent }) => agent)),
    state: widest(rows.map(({ state }) => state)),
    when: widest(rows.map(({ when }) => when)),
  }
  const room = columns - widths.id - widths.agent - widths.state - widths.when - 8
  return rows.flatMap(({ id, agent, state, when, title }) => {
    const facts = [padded(agent, widths.agent), padded(state, widths.state), theme.faint(padded(when, widths.when))]
    if (room < MIN_TITLE_COLUMNS) {
      return [theme.accent(id), `  ${facts.join("  ")}`.trimEnd(), `  ${clip(title, columns - 2)}`.trimEnd()]
    }
    return [theme.accent(padded(id, widths.id)), ...facts, clip(title, room)].join("  ").trimEnd()
  })
}

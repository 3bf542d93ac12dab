import type { Session } from "@pawl/core"
import { plainLine } from "./plain.ts"
import { ago } from "./quantity.ts"
import type { Theme } from "./theme.ts"
import { clip, columnsOf } from "./width.ts"

export interface SessionTablePaper {
  readonly columns: number
  readonly theme: Theme
  /** Epoch milliseconds. */
  readonly now: number
  readonly hasDirectories: boolean
}

/** One line for each session: id, when it was last touched, title, directory. Ids are never cut. */
export function sessionTable(sessions: readonly Session[], paper: SessionTablePaper): string[] {
  const { columns, theme, now, hasDirectories } = paper
  const rows = sessions.map(({ id, time, title, directory }) => {
    return {
      id,
      when: ago(time.updated, now),
      title: plainLine(title),
      directory: hasDirectories ? plainLine(directory) : "",
    }
  })
  const idWidth = Math.max(...rows.map(({ id }) => id.length))
  const whenWidth = Math.max(...rows.map(({ when }) => when.length))
  const titleWidth = Math.max(...rows.map(({ title }) => columnsOf(title)))
  return rows.map(({ id, when, title, directory }) => {
    const room = columns - idWidth - whenWidth - 4
    const shown = clip(title, room)
    const gap = " ".repeat(Math.max(0, Math.min(titleWidth, 40) - columnsOf(shown)) + 2)
    const place = directory === "" ? "" : clip(gap + directory, room - columnsOf(shown))
    return `${theme.accent(id.padEnd(idWidth))}  ${theme.faint(when.padEnd(whenWidth))}  ${shown}${theme.faint(place)}`.trimEnd()
  })
}

import type { Session } from "@pawl/core"
import { plainLine } from "@pawl/plain-text"
import { ago } from "./quantity.ts"
import type { Theme } from "./theme.ts"
import { clip, clipStart, columnsOf } from "./width.ts"

export interface SessionTableLayout {
  readonly columns: number
  readonly theme: Theme
  /** Epoch milliseconds. */
  readonly now: number
  readonly hasDirectories: boolean
}

/**
 * Renders a line per session: id, time of the last change, title, directory. Ids are never cut. If they leave too little room,
 * the title gets a line of its own.
 */
export function sessionTable(sessions: readonly Session[], layout: SessionTableLayout): string[] {
  const { columns, theme, now, hasDirectories } = layout
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
  const room = columns - idWidth - whenWidth - 4
  if (room < MIN_TITLE_COLUMNS) {
    return rows.flatMap(({ id, when, title }) => [
      theme.accent(id),
      `  ${theme.faint(when.padEnd(whenWidth))}  ${clip(title, columns - whenWidth - 4)}`.trimEnd(),
    ])
  }
  const widths = sharedRoom(
    Math.max(...rows.map(({ title }) => columnsOf(title))),
    Math.max(...rows.map(({ directory }) => columnsOf(directory))),
    room,
  )
  const aligned = columns === Infinity ? Math.min(widths.title, ALIGNED) : widths.title
  return rows.map(({ id, when, title, directory }) => {
    const shown = clip(title, widths.title)
    const gap = " ".repeat(Math.max(0, aligned - columnsOf(shown)) + 2)
    const place = widths.directory === 0 ? "" : gap + clipStart(directory, widths.directory)
    return `${theme.accent(id.padEnd(idWidth))}  ${theme.faint(when.padEnd(whenWidth))}  ${shown}${theme.faint(place)}`.trimEnd()
  })
}

/** In fewer columns, titles cannot be distinguished. */
export const MIN_TITLE_COLUMNS = 8

/** Without a width, a title longer than this does not move the other directories. */
const ALIGNED = 40

/** A directory in fewer columns is not readable. */
const MIN_DIRECTORY_COLUMNS = 10

/** How many columns titles and directories get of those that there are. Zero: none are shown. */
function sharedRoom(title: number, directory: number, room: number): { title: number; directory: number } {
  if (directory === 0) return { title: room, directory: 0 }
  if (room === Infinity || title + 2 + directory <= room) return { title, directory }
  const wanted = Math.max(room - 2 - directory, Math.min(title, Math.floor(room / 2)))
  const left = room - 2 - wanted
  return left < MIN_DIRECTORY_COLUMNS ? { title: room, directory: 0 } : { title: wanted, directory: left }
}

import { plainLine } from "@pawl/plain-text"
import type { Theme } from "./theme.ts"
import { clip, columnsOf } from "./width.ts"

/** A line of a list of definitions. */
export interface DefinitionRow {
  readonly name: string
  readonly description: string
  /** Color of the name. */
  readonly color?: string
  /** Further facts, a few words each. */
  readonly notes: readonly string[]
  /** Sources that define it, lowest precedence first. */
  readonly sources: readonly string[]
}

export interface DefinitionLayout {
  readonly columns: number
  readonly theme: Theme
}

const INDENT = "  "

/** Renders name and facts, then the description, then the sources. */
export function definitionLines(rows: readonly DefinitionRow[], { columns, theme }: DefinitionLayout): string[] {
  const width = Math.min(Math.max(0, ...rows.map(({ name }) => columnsOf(plainLine(name)))), 30)
  return rows.flatMap(({ name, description, color, notes, sources }) => {
    const label = plainLine(name)
    const gap = " ".repeat(Math.max(width - columnsOf(label), 0) + INDENT.length)
    const about = plainLine(description)
    const room = Math.max(columns - width - INDENT.length, 20)
    const below = " ".repeat(width + INDENT.length)
    const where = [...notes, ...sources].map(plainLine).join(" · ")
    const first = about === "" ? theme.faint(clip(where, room)) : clip(about, room)
    const second = about === "" ? [] : [below + theme.faint(clip(where, room))]
    return [theme.strong(theme.inColor(color, label)) + gap + first, ...second]
  })
}

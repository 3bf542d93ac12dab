import { excerpt, type Session } from "@pawl/core/record"
import { type SearchHit, searchWords } from "@pawl/core/storage"
import { plainLine } from "@pawl/plain-text"
import { ago } from "./quantity.ts"
import { MIN_TITLE_COLUMNS } from "./session-table.ts"
import type { Theme } from "./theme.ts"
import { clip, columnsOf } from "./width.ts"

export interface SearchLayout {
  readonly columns: number
  readonly theme: Theme
  readonly query: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly hasDirectories: boolean
}

/** Renders a hit, below its session if that is passed. */
export function searchLines(hit: SearchHit, session: Session | undefined, layout: SearchLayout): string[] {
  const { columns, theme, query } = layout
  const room = columns - 3
  const text = fittingExcerpt(plainLine(hit.text), query, room)
  return [...(session ? headLines(session, layout) : []), `  ${marked(clip(text, room), query, theme)}`]
}

const MIN_EXCERPT = 20

/** Wide characters take two columns each: clipping an excerpt that is too wide could cut off the words. */
function fittingExcerpt(text: string, query: string, columns: number): string {
  const length = columns - 2 // Room for `…` at both ends.
  const shown = plainLine(excerpt(text, query, Math.max(MIN_EXCERPT, length)))
  if (columnsOf(shown) <= columns) return shown
  return plainLine(excerpt(text, query, Math.max(MIN_EXCERPT, Math.floor(length / 2))))
}

function headLines(
  { id, title, time, directory }: Session,
  { columns, theme, now, hasDirectories }: SearchLayout,
): string[] {
  const when = ago(time.updated, now)
  const room = columns - id.length - when.length - 4
  if (room < MIN_TITLE_COLUMNS) return [theme.accent(id), theme.strong(clip(plainLine(title), columns))]
  const shown = clip(plainLine(title), room)
  const place = hasDirectories ? clip(`  ${plainLine(directory)}`, room - columnsOf(shown)) : ""
  return [`${theme.accent(id)}  ${theme.faint(when)}  ${theme.strong(shown)}${theme.faint(place)}`]
}

/** Marks words that begin with a search word. */
function marked(text: string, query: string, theme: Theme): string {
  const words = searchWords(query)
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  return text.replaceAll(new RegExp(String.raw`(?<![\p{L}\p{N}\p{M}])(?:${words.join("|")})`, "giu"), theme.warn)
}

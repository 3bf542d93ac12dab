import { visibleText } from "@pawl/plain-text"
import type { Theme } from "@pawl/terminal-text/theme"
import { clip } from "@pawl/terminal-text/width"

const CONTEXT = 2
/** Lines of either side. */
const SHOWN = 8
/** Characters before the first one that is another, in a long line. */
const LEAD = 40

/** Renders the first difference of two texts: expected (-), actual (+), and some common text before it. */
export function comparedLines(
  expected: string | undefined,
  got: string | undefined,
  { columns, theme }: { readonly columns: number; readonly theme: Theme },
): string[] {
  const [was, is] = [linesOf(expected), linesOf(got)]
  let same = 0
  while (same < was.length && same < is.length && was[same] === is[same]) same++
  let tail = 0
  while (tail < was.length - same && tail < is.length - same && was.at(-1 - tail) === is.at(-1 - tail)) tail++
  const [removed, added] = [was, is].map((lines) => lines.slice(same, lines.length - tail)) as [string[], string[]]
  const from = removed.length === 1 && added.length === 1 ? firstChange(removed[0] ?? "", added[0] ?? "") : 0
  const line = (sign: string, text: string) => clip(`  ${sign} ${shown(text, from)}`, columns)
  return [
    ...was.slice(Math.max(0, same - CONTEXT), same).map((text) => theme.faint(clip(`    ${shown(text, 0)}`, columns))),
    ...side(removed, expected).map((text) => theme.removed(line("-", text))),
    ...side(added, got).map((text) => theme.added(line("+", text))),
  ]
}

function linesOf(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : text.split("\n")
}

function side(lines: readonly string[], text: string | undefined): string[] {
  if (lines.length === 0) return text === undefined || text === "" ? ["(nothing)"] : []
  const left = lines.length - SHOWN
  return left > 0 ? [...lines.slice(0, SHOWN), `… ${left} more lines`] : [...lines]
}

function firstChange(was: string, is: string): number {
  let at = 0
  while (at < was.length && was[at] === is[at]) at++
  return at
}

function shown(text: string, from: number): string {
  const start = from > LEAD * 2 ? from - LEAD : 0
  return `${start > 0 ? "…" : ""}${visibleText(text.slice(start, start + 2000)).replaceAll("\t", "  ")}`
}

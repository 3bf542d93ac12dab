import { type Examined, hooksOf } from "../plugins/examine.ts"
import { wrap } from "./flow.ts"
import { plainLine } from "./plain.ts"
import { plural } from "./quantity.ts"
import { shortPath } from "./short-path.ts"
import type { Theme } from "./theme.ts"

export interface ExaminedPaper {
  readonly columns: number
  readonly theme: Theme
  /** Below which paths are short. */
  readonly directory: string
  readonly home: string | undefined
}

/** A plugin with what it does, how long that took, and what is wrong with it. */
export function examinedLines({ member, reports, took, problems, notices }: Examined, paper: ExaminedPaper): string[] {
  const { columns, theme, directory } = paper
  const { wanted, place } = member
  const version = place?.version === undefined ? [] : [place.version]
  const from = wanted.source === wanted.written ? [] : [`named in ${shortPath(wanted.source, directory, paper)}`]
  const times = `loaded in ${milliseconds(took.load)}, started in ${milliseconds(took.start)}`
  const mark = problems.length > 0 ? theme.bad("✗") : theme.good("●")
  const about = reports.flatMap((report) => {
    const { id, tools, problem } = report
    const hooks = hooksOf([report])
    const own = reports.length > 1 ? `${shortPath(id, directory, paper)}: ` : ""
    if (problem !== undefined) return []
    return [`${own}${hooks.length === 0 ? "hooks nothing" : `hooks ${hooks.join(", ")}`} · ${plural(tools, "tool")}`]
  })
  const indented = (text: string) => wrap(plainLine(text), Math.max(columns - 2, 20)).map((line) => `  ${line}`)
  return [
    `${mark} ${theme.strong(plainLine(shortPath(wanted.written, directory, paper)))}`,
    ...about.flatMap(indented),
    ...indented([...version, ...from, times].join(" · ")).map(theme.faint),
    ...problems.flatMap(indented).map(theme.bad),
    ...notices.flatMap(indented).map(theme.faint),
  ]
}

function milliseconds(time: number): string {
  return time < 10 ? `${time.toFixed(1)} ms` : `${Math.round(time)} ms`
}

import type { ContextReport } from "@pawl/core"

export type WindowShares = ContextReport["shares"]
type Share = keyof WindowShares

/** Shares in the order of the request, each with its sign, and its sign for terminals without Unicode. */
const signs: readonly (readonly [share: Share, sign: string, ascii: string])[] = [
  ["system", "█", "#"],
  ["instructions", "▓", "%"],
  ["tools", "▒", "="],
  ["summary", "░", "-"],
  ["tail", "▚", "+"],
  ["new", "▞", "*"],
]
const FREE = { sign: "·", ascii: "." }

export interface BarStyle {
  readonly ascii?: boolean
}

const MIN_COLUMNS = 40
const MAX_COLUMNS = 120

/**
 * Renders the contents of the window as plain text: a bar of exactly `width` columns (40 to 120), then a legend in
 * lines of at most that width. A share that is not empty has at least one column. `usable`: tokens that a request may
 * take; 0: the limit is not known. A request that is too large fills the bar, and the legend shows the excess.
 */
export function renderBar(shares: WindowShares, usable: number, width: number, style: BarStyle = {}): string {
  const columns = Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, Math.floor(width)))
  const used = signs.reduce((sum, [share]) => sum + shares[share], 0)
  const free = Math.max(0, usable - used)
  const entries = [
    ...signs.map(([share, sign, ascii]) => ({ name: share, tokens: shares[share], sign: style.ascii ? ascii : sign })),
    { name: "free", tokens: free, sign: style.ascii ? FREE.ascii : FREE.sign },
  ].filter(({ tokens }) => tokens > 0)
  const bar = columnsOf(
    entries.map(({ tokens }) => tokens),
    columns,
  )
  const cells = entries.map(({ sign }, at) => sign.repeat(bar[at] ?? 0)).join("")
  const legend = entries.map(({ name, tokens, sign }) => `${sign} ${name} ${short(tokens)}`)
  const empty = (style.ascii ? FREE.ascii : FREE.sign).repeat(columns)
  return [cells === "" ? empty : cells, ...wrapped([...legend, ...totals(used, usable)], columns)].join("\n")
}

/**
 * Returns the columns of each share: one column for each, and the rest in proportion to its tokens beyond a column. The
 * columns that rounding leaves go to the largest remainders.
 */
function columnsOf(tokens: readonly number[], columns: number): number[] {
  const sum = tokens.reduce((total, each) => total + each, 0)
  const beyond = tokens.map((each) => Math.max(0, (each * columns) / sum - 1))
  const weight = beyond.reduce((total, each) => total + each, 0)
  const rest = columns - tokens.length
  const exact = beyond.map((each, at) => {
    if (weight > 0) return (rest * each) / weight
    return at === beyond.length - 1 ? rest : 0
  })
  const whole = exact.map((share) => Math.floor(share))
  const left = rest - whole.reduce((total, each) => total + each, 0)
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .toSorted((a, b) => b.remainder - a.remainder || a.at - b.at)
  const rounded = new Set(byRemainder.slice(0, left).map(({ at }) => at))
  return whole.map((cells, at) => cells + 1 + (rounded.has(at) ? 1 : 0))
}

function totals(used: number, usable: number): string[] {
  if (usable <= 0) return [`${short(used)} tokens, limit not known`]
  const share = `${short(used)} of ${short(usable)} tokens (${Math.round((used / usable) * 100)} %)`
  return used > usable ? [share, `${short(used - usable)} too many`] : [share]
}

function short(tokens: number): string {
  if (tokens < 1_000) return String(tokens)
  if (tokens < 9_950) return `${(tokens / 1_000).toFixed(1)}k`
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)}k`
  return `${(tokens / 1_000_000).toFixed(1)}M`
}

function wrapped(entries: readonly string[], columns: number): string[] {
  const lines: string[] = []
  for (const entry of entries) {
    const line = lines.at(-1)
    const longer = line === undefined ? entry : `${line}  ${entry}`
    if (line === undefined || longer.length > columns) lines.push(entry)
    else lines[lines.length - 1] = longer
  }
  return lines
}

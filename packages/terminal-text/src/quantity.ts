/** `0.4s`, `12s`, `3m 05s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`
  return wholeSeconds(Math.round(seconds))
}

/** `12s`, `3m 05s`. */
export function wholeSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`
}

/** `950`, `12.4k`, `1.2M`. */
export function count(number: number): string {
  if (number < 1000) return String(number)
  if (number < 999_950) return `${(number / 1000).toFixed(number < 99_950 ? 1 : 0)}k`
  return `${(number / 1_000_000).toFixed(1)}M`
}

/** `950`, `12,400`, `1,200,000`. */
export function grouped(number: number): string {
  return String(Math.round(number)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")
}

/** `950 B`, `12.4 kB`, `1.2 MB`, `3.0 GB`. */
export function bytes(number: number): string {
  const units = ["kB", "MB", "GB", "TB"]
  if (number < 1000) return `${number} B`
  const power = Math.min(Math.floor(Math.log10(number) / 3), units.length)
  return `${(number / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

/** `1 step`, `3 steps`, `1,200 steps`. */
export function plural(number: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : nouns}`
}

/** US dollars, never rounded down to nothing. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`
}

/** How long ago, for lists: `now`, `5 min ago`, `3 h ago`, `2 d ago`, then the date. */
export function ago(then: number, now: number): string {
  const minutes = Math.floor((now - then) / 60_000)
  if (minutes < 1) return "now"
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  if (minutes < 14 * 24 * 60) return `${Math.floor(minutes / 60 / 24)} d ago`
  const date = new Date(then)
  // Of a record that another program wrote.
  return Number.isNaN(date.getTime()) ? "long ago" : date.toISOString().slice(0, 10)
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
const wait =
  /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)? ?(?:hours?|minutes?|min|seconds?|sec|ms|[hms])\b ?|\d+[hm](?=\d))+)/i
const piece = /(\d+(?:\.\d+)?) ?(ms|[hms])/gi

/** Returns the milliseconds that a server's message asks to wait, as in "try again in 1m47.5s". */
export function waitInWords(message: string): number | undefined {
  const words = wait.exec(message)?.[1]
  if (words === undefined) return undefined
  const pieces = words.toLowerCase().matchAll(piece)
  return Math.round([...pieces].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0), 0))
}

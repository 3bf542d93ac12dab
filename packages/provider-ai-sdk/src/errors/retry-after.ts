/**
 * Returns how long a server asks to wait, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as a date.
 * A date counts from the server's own `date` header if present, so that its clock may differ from ours.
 */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = positiveNumber(headers["retry-after-ms"])
  if (milliseconds !== undefined) return Math.round(milliseconds)

  const value = headers["retry-after"]
  const seconds = positiveNumber(value)
  if (seconds !== undefined) return Math.round(seconds * 1000)

  // Date.parse() finds a year in almost any number.
  const until = value !== undefined && /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(until)) return undefined
  const answered = Date.parse(headers["date"] ?? "")
  return Math.max(0, until - (Number.isNaN(answered) ? now : answered))
}

function positiveNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}

/** Formats a duration for users, in whole minutes, hours or days. */
export function ageOf(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes < 60) return counted(minutes, "minute")
  const hours = Math.round(minutes / 60)
  return hours < 48 ? counted(hours, "hour") : counted(Math.round(hours / 24), "day")
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

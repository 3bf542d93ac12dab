/** Day of an imported message with an invalid time. */
const NO_DATE = "no date"

/** Returns the day in the local time zone, such as `2026-11-22`; `no date` for an invalid time. */
export function localDay(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return NO_DATE
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** `2026-11-22 09h` */
export function localHour(time: number): string {
  const day = localDay(time)
  return day === NO_DATE ? day : `${day} ${two(new Date(time).getHours())}h`
}

/** When the first of so many days began, of which the last one is that of `now`. */
export function startOfDays(now: number, days: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days + 1).getTime()
}

/** The days from one to another, both included, in their order: `2026-11-22`. At most `most`, the last ones. */
export function daysBetween(first: string, last: string, most: number): string[] {
  const days: string[] = []
  const [year = 0, month = 1, day = 1] = last.split("-").map(Number)
  for (let back = 0; back < most; back++) {
    // Noon: where clocks are changed, some days have another length.
    const name = localDay(new Date(year, month - 1, day - back, 12).getTime())
    if (name < first) break
    days.unshift(name)
  }
  return days
}

function two(number: number): string {
  return String(number).padStart(2, "0")
}

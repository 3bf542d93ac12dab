import { UsageError } from "./usage-error.ts"

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The time that was given to an option: `0`, `90m`, `12h`, `7d`. Throws UsageError for anything else. */
export function milliseconds(option: string, text: string, command: string): number {
  const [, number = "", unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (text === "0") return 0
  if (unit !== undefined) return Number(number) * UNITS[unit as keyof typeof UNITS]
  throw new UsageError(`${option} is a time such as 90m, 12h or 7d, got "${text}".`, `See: pawl ${command} --help`)
}

import { UsageError } from "./usage-error.ts"

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses an option's value: `0`, or a number with a unit. Throws UsageError with the examples if it is anything else. */
export function milliseconds(option: string, text: string, command: string, examples = "90m, 12h or 7d"): number {
  const [, number = "", unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (text === "0") return 0
  if (unit !== undefined) return Number(number) * UNITS[unit as keyof typeof UNITS]
  throw invalidTime(option, text, command, examples)
}

export function invalidTime(option: string, text: string, command: string, examples: string): UsageError {
  return new UsageError(
    `invalid value "${text}" for ${option}: expected a time such as ${examples}`,
    `See: pawl ${command} --help`,
  )
}

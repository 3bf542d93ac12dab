import { UsageError } from "./usage-error.ts"

/** Parses an option's value. Throws UsageError unless it is a whole number above 0. */
export function wholeNumber(option: string, text: string, command: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(
    `invalid value "${text}" for ${option}: expected a whole number above 0`,
    `See: pawl ${command} --help`,
  )
}

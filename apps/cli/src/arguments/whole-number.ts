import { UsageError } from "./usage-error.ts"

/** The number that was given to an option. Throws UsageError unless it is a whole one above 0. */
export function wholeNumber(option: string, text: string, command: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`${option} is a whole number above 0, got "${text}".`, `See: pawl ${command} --help`)
}

import { UsageError } from "./usage-error.ts"

/** Parses the value of --port. `help`: the command that explains it. */
export function portNumber(text: string, help: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Infinity
  if (number < 65_536) return number
  throw new UsageError(`invalid value "${text}" for --port: expected a whole number from 0 to 65535`, `See: ${help}`)
}

import type { Unit } from "./row.ts"

/** Formats three significant digits with the unit; "–" if there is no value. */
export function amount(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return "–"
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${unit}`
}

export const milliseconds = (value: number) => amount(value, "ms")

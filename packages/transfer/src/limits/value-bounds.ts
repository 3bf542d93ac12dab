import { DocumentError, EXPORT_AGAIN, jsonPath } from "../document-error.ts"
import { isFree } from "./document-limits.ts"

/** The latest time of a Date, in epoch milliseconds. */
const LAST_TIME = 8.64e15

const COUNTS = new Set("cost tokens input output reasoning read write additions deletions requests took".split(" "))

export function isTime(value: unknown): value is number {
  return isBetween(value, LAST_TIME)
}

export function isCount(value: unknown): value is number {
  return isBetween(value, Number.MAX_SAFE_INTEGER)
}

/** Throws DocumentError for a time outside of the range of dates, and for a negative or infinite count or price. */
export function requireBounds(value: unknown, path: readonly PropertyKey[] = []): void {
  if (typeof value === "number") return requireNumber(value, path)
  if (typeof value !== "object" || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "number" || !isFree(name))
      requireBounds(inner, [...path, Array.isArray(value) ? Number(name) : name])
  }
}

function requireNumber(value: number, path: readonly PropertyKey[]): void {
  const isOfTime = path.at(-2) === "time"
  if (isOfTime ? isTime(value) : !COUNTS.has(String(path.at(-1))) || isCount(value)) return
  const [noun, most] = isOfTime ? ["time", LAST_TIME] : ["count", Number.MAX_SAFE_INTEGER]
  throw new DocumentError(
    jsonPath(path),
    `${value} is not a valid ${noun}: it must be between 0 and ${most}.`,
    EXPORT_AGAIN,
  )
}

function isBetween(value: unknown, most: number): value is number {
  return typeof value === "number" && value >= 0 && value <= most
}

import { isObject } from "../json.ts"
import { isCount, isTime } from "../limits/value-bounds.ts"

// Reads values of unknown shape.

export function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

export function isText(value: unknown): value is string {
  return typeof value === "string"
}

export function textOr(value: unknown, otherwise: string): string {
  return isText(value) ? value : otherwise
}

/** Accepts a time in milliseconds within the range of dates. */
export function timeOr(value: unknown, otherwise: number): number {
  return isTime(value) ? value : otherwise
}

export function countOr(value: unknown, otherwise: number): number {
  return isCount(value) ? value : otherwise
}

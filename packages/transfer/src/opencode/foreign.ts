import { isObject } from "../json.ts"

// What is taken of a value whose shape is not known.

export function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

export function isText(value: unknown): value is string {
  return typeof value === "string"
}

export function textOr(value: unknown, otherwise: string): string {
  return isText(value) ? value : otherwise
}

export function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise
}

import { documentLimits, tooDeep } from "./limits/document-limits.ts"

interface Level {
  readonly value: Readonly<Record<PropertyKey, unknown>>
  /** Undefined for a list. */
  readonly names: readonly string[] | undefined
  readonly length: number
  next: number
}

/** Throws DocumentError for a value that is nested too deeply, so that later code may recurse. */
export function requireDepth(value: unknown): void {
  const path: Level[] = []
  if (isNested(value)) path.push(levelOf(value))
  for (let level = path.at(-1); level; level = path.at(-1)) {
    if (level.next === level.length) {
      path.pop()
      continue
    }
    level.next++
    const inner = level.value[lastKey(level)]
    if (isNested(inner)) path.push(levelOf(inner))
    if (path.length > documentLimits.levels) throw tooDeep(path.map(lastKey), documentLimits.levels)
  }
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

function levelOf(value: object): Level {
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const length = Array.isArray(value) ? value.length : (names?.length ?? 0)
  return { value: value as Level["value"], names, length, next: 0 }
}

function lastKey({ names, next }: Level): PropertyKey {
  return names ? (names[next - 1] ?? "") : next - 1
}

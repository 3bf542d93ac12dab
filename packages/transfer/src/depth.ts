import { DocumentError, jsonPath } from "./document-error.ts"

/** Levels of objects and lists within each other. Storages read JSON by recursion, and some end at a thousand. */
const DEEPEST = 500

/** Levels that a message names. */
const NAMED = 8

interface Level {
  readonly value: Readonly<Record<PropertyKey, unknown>>
  /** Undefined: a list, whose keys are its places. */
  readonly names: readonly string[] | undefined
  readonly length: number
  next: number
}

/** Throws DocumentError for a value that is nested deeper than any record is; everything behind it may then recurse. */
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
    if (path.length > DEEPEST) throw tooDeep(path)
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

function tooDeep(path: readonly Level[]): DocumentError {
  return new DocumentError(
    `${jsonPath(path.slice(0, NAMED).map(lastKey))}…`,
    `It is nested deeper than ${DEEPEST} levels, which no session is.`,
    "Give a document that pawl or OpenCode exported.",
  )
}

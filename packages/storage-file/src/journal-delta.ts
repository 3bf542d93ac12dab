import type { FileChange } from "./file-change.ts"

// A record that grows over many commits is in the journal once in full; each further line has only its difference.

/**
 * The difference to the previous JSON of the file: length of the common prefix, new text, length of the common suffix.
 */
export type Delta = readonly [start: number, added: string, end: number]

/** A change as it is written to the journal. */
export type WrittenChange = readonly [path: string, change: string | null | Delta]

/** Minimum length of the JSON. Shorter JSON is written in full. */
const MIN_DELTA_LENGTH = 512

export function toDelta(before: string, after: string): Delta | undefined {
  const shortest = Math.min(before.length, after.length)
  if (shortest < MIN_DELTA_LENGTH) return undefined
  let start = 0
  while (start < shortest && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return 2 * (start + end) < after.length ? undefined : [start, after.slice(start, after.length - end), end]
}

/** Returns a function that restores the full content of changes. Call it for all commits of a journal in order. */
export function createDeltaReader(): (files: readonly WrittenChange[]) => FileChange[] {
  const last = new Map<string, string | null>()
  return (files) =>
    files.map(([path, change]) => {
      const json = Array.isArray(change) ? applied(last.get(path) ?? "", change as Delta) : (change as string | null)
      last.set(path, json)
      return [path, json]
    })
}

function applied(before: string, [start, added, end]: Delta): string {
  return before.slice(0, start) + added + before.slice(before.length - end)
}

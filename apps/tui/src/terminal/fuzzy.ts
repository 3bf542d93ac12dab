import { fuzzyFilter as filter } from "@earendil-works/pi-tui/dist/fuzzy.js"

/** Returns the items whose text has the letters of the query in order, the best first. */
export function fuzzyFilter<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  return filter([...items], query, textOf)
}

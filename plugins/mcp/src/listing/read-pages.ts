/** A server that has more to list than this many pages hold, or than this many items, is not read further. */
const MOST_PAGES = 1000
const MOST_ITEMS = 10_000

/** Reads a list that comes in pages. Ends at a cursor that came before: the server would go round in a circle. */
export async function readPages(
  readPage: (cursor: string | undefined) => Promise<Readonly<Record<string, unknown>>>,
  key: string,
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const read = await readPage(cursor)
    const found = read[key]
    if (Array.isArray(found))
      for (const item of found.slice(0, MOST_ITEMS - items.length) as unknown[]) items.push(item)
    const next = read["nextCursor"]
    if (typeof next !== "string" || seen.has(next) || items.length >= MOST_ITEMS) break
    seen.add(next)
    cursor = next
  }
  return items
}

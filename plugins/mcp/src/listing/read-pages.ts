/** A server that has more to list than this many pages hold is not read further. */
const MOST_PAGES = 1000

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
    if (Array.isArray(found)) items.push(...(found as unknown[]))
    const next = read["nextCursor"]
    if (typeof next !== "string" || seen.has(next)) break
    seen.add(next)
    cursor = next
  }
  return items
}

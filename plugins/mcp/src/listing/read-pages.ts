/** Reading stops at this number of pages or items. */
const MAX_PAGES = 1000
const MAX_ITEMS = 10_000

/** Reads a list in pages. Stops at a repeated cursor, because the server would never end. */
export async function readPages(
  readPage: (cursor: string | undefined) => Promise<Readonly<Record<string, unknown>>>,
  key: string,
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const read = await readPage(cursor)
    const found = read[key]
    if (Array.isArray(found)) for (const item of found.slice(0, MAX_ITEMS - items.length) as unknown[]) items.push(item)
    const next = read["nextCursor"]
    if (typeof next !== "string" || seen.has(next) || items.length >= MAX_ITEMS) break
    seen.add(next)
    cursor = next
  }
  return items
}

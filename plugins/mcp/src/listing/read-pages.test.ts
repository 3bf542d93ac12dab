import { expect, it } from "vitest"
import { readPages } from "./read-pages.ts"

it("reads all pages in their order", async () => {
  const pages = [{ tools: [1], nextCursor: "1" }, { tools: [2], nextCursor: "2" }, { tools: [3] }]
  expect(await readPages(async (cursor) => pages[Number(cursor ?? 0)] ?? {}, "tools")).toEqual([1, 2, 3])
})

it("ends where a cursor comes again", async () => {
  let read = 0
  const items = await readPages(async () => ({ tools: [++read], nextCursor: read % 2 ? "a" : "b" }), "tools")
  expect(items).toEqual([1, 2, 3])
})

it("ends after a thousand pages", async () => {
  let read = 0
  await readPages(async () => ({ tools: [], nextCursor: String(++read) }), "tools")
  expect(read).toBe(1000)
})

it("ends after ten thousand items, however many a page holds", async () => {
  const page = { tools: Array.from({ length: 200_000 }, (_, at) => at) }
  expect(await readPages(async () => ({ ...page, nextCursor: "more" }), "tools")).toHaveLength(10_000)
})

it("passes over what is no list", async () => {
  expect(await readPages(async () => ({ tools: "all" }), "tools")).toEqual([])
})

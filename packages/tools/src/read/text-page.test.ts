import { expect, it } from "vitest"
import { createPager, type TextPage } from "./text-page.ts"

function page(
  text: string | Buffer,
  { offset = 1, limit = 2000, chunk = 1 << 20 } = {},
): TextPage & { isFull: boolean } {
  const bytes = Buffer.from(text)
  const pager = createPager({ offset, limit })
  for (let start = 0; start < bytes.length; start += chunk) pager.feed(bytes.subarray(start, start + chunk))
  const { isFull } = pager
  return { ...pager.page(), isFull }
}

it("keeps the lines of the page and counts the others", () => {
  expect(page("a\nb\nc\nd\n", { offset: 2, limit: 2 })).toMatchObject({ lines: ["b", "c"], next: 4, total: 4 })
  expect(page("a\nb\nc\nd", { offset: 3 })).toMatchObject({ lines: ["c", "d"], next: undefined, total: 4 })
  expect(page("a\nb\n", { limit: 2 })).toMatchObject({ lines: ["a", "b"], next: undefined })
  expect(page("a\nb\n\n", { limit: 2 })).toMatchObject({ lines: ["a", "b"], next: 3, total: 3 })
  expect(page("")).toMatchObject({ lines: [], next: undefined, total: 0 })
})

it("gives the same page however the bytes are cut into chunks", () => {
  const text = "größe\r\n😀\n\nlast"
  for (const chunk of [1, 2, 3, 5, 100]) expect(page(text, { chunk }).lines).toEqual(["größe", "😀", "", "last"])
})

it("stops at 50 KiB", () => {
  const { lines, next } = page(`${"x".repeat(1023)}\n`.repeat(60))
  expect(lines).toHaveLength(50)
  expect(next).toBe(51)
})

it("cuts a long line after 2000 characters without holding the rest", () => {
  const { lines, total } = page(`${"é".repeat(100_000)}\nshort\n`, { chunk: 777 })
  expect(lines).toEqual([`${"é".repeat(2000)}... (line cut after 2000 characters)`, "short"])
  expect(total).toBe(2)
  expect(page("x".repeat(2000)).lines).toEqual(["x".repeat(2000)])
})

it("is full as soon as anything lies behind the page, also in the middle of a line", () => {
  expect(page("a\nb", { limit: 1 }).isFull).toBe(true)
  expect(page("a\n", { limit: 1 }).isFull).toBe(false)
})

it("notices bytes that are no UTF-8, on the page alone", () => {
  const bytes = Buffer.from("fine\ncaf\xe9\n", "latin1")
  expect(page(bytes)).toMatchObject({ lines: ["fine", "caf\uFFFD"], isDamaged: true })
  expect(page(bytes, { limit: 1 })).toMatchObject({ lines: ["fine"], isDamaged: false })
  expect(page("\uFFFD is a character too")).toMatchObject({ isDamaged: false })
})

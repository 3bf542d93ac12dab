import { expect, it, vi } from "vitest"
import { memoList } from "./memo-list.ts"

function counted() {
  const make = vi.fn((item: { readonly name: string }) => ({ of: item }))
  return { make, list: memoList(make) }
}

const [a, b, c, x] = ["a", "b", "c", "x"].map((name) => ({ name })) as [Item, Item, Item, Item]
type Item = { readonly name: string }

it("makes only what is new of a list that grows", () => {
  const { make, list } = counted()
  const first = list([a, b])
  const second = list([a, b, c])
  expect(second.map(({ of }) => of)).toEqual([a, b, c])
  expect(second.slice(0, 2)).toEqual(first)
  expect(second[0]).toBe(first[0])
  expect(make).toHaveBeenCalledTimes(3)
})

it("makes what was replaced or moved anew, in its order", () => {
  const { make, list } = counted()
  list([a, b, c])
  expect(list([a, x, c]).map(({ of }) => of)).toEqual([a, x, c])
  expect(make).toHaveBeenCalledTimes(4)
  expect(list([a, c]).map(({ of }) => of)).toEqual([a, c])
})

it("keeps lists apart that begin differently", () => {
  const { make, list } = counted()
  list([a, b])
  list([x, b])
  list([a, b])
  list([x, b])
  expect(make).toHaveBeenCalledTimes(4)
})

it("is not misled by a list that its owner changes", () => {
  const { list } = counted()
  const items = [a, b]
  list(items)
  items[1] = c
  expect(list(items).map(({ of }) => of)).toEqual([a, c])
})

it("makes nothing of nothing", () => {
  expect(counted().list([])).toEqual([])
})

import { assert, jsonValue, object, property } from "fast-check"
import { describe, expect, it } from "vitest"
import { asJSON, frozenCopy, kept } from "./copy.ts"

const json = jsonValue({ maxDepth: 5 })
const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe("a copy", () => {
  it("of whatever JSON there is says the same and shares nothing", () => {
    assert(
      property(json, (value) => {
        const copy = asJSON(value)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        if (typeof value === "object" && value !== null) expect(copy).not.toBe(value)
      }),
    )
  })

  it.each<[string, unknown]>([
    ["a date", { at: new Date(0) }],
    ["what is not there", { a: undefined, b: () => 1, c: Symbol("c"), list: [undefined, () => 1] }],
    ["numbers that are none", [Number.NaN, Number.POSITIVE_INFINITY, -0]],
    [
      "a map, a set and an instance",
      {
        map: new Map([[1, 2]]),
        set: new Set([1]),
        own: new (class A {
          x = 1
        })(),
      },
    ],
    ["what says its own JSON", { a: { toJSON: () => ({ b: [1] }) } }],
  ])("of %s is what JSON makes of it", (_what, value) => {
    expect(asJSON(value)).toStrictEqual(roundTrip(value))
  })

  it("takes a key of the name of a prototype for a key", () => {
    const copy = asJSON(JSON.parse('{"__proto__": {"isAdmin": true}}')) as Record<string, unknown>
    expect(Object.keys(copy)).toEqual(["__proto__"])
    expect(copy["isAdmin"]).toBeUndefined()
  })

  it("is not made of what contains itself", () => {
    const list: unknown[] = []
    list.push(list)
    expect(() => asJSON(list)).toThrow(TypeError)
  })
})

describe("what is kept of a value after a draft of it was edited", () => {
  const drafted = <T extends object>(value: T, edit: (draft: T) => unknown = () => undefined) => {
    const origins = new WeakMap<object, object>()
    const own = asJSON(value, origins) as T
    const returned = edit(own)
    return kept(value, returned ?? own, origins) as T
  }

  it("is the value itself where nothing was", () => {
    const values = object({ maxDepth: 4 }).map((value) => roundTrip(value) as object)
    assert(
      property(values, (value) => {
        expect(drafted(value)).toBe(value)
      }),
    )
  })

  it("says what the draft says", () => {
    assert(
      property(json, json, (before, after) => {
        const value = { a: { b: before }, list: [before, 1] }
        const edited = drafted(value, (draft) => {
          draft.a.b = after
          draft.list.unshift(after)
        })
        expect(edited).toStrictEqual(roundTrip({ a: { b: after }, list: [after, before, 1] }))
      }),
    )
  })

  it("shares all items that were only moved", () => {
    const items = Array.from({ length: 6 }, (_, id) => ({ id, parts: [{ text: `${id}` }] }))
    const edited = drafted({ items }, ({ items: own }) => {
      own.reverse()
      own.splice(1, 1)
      own.push({ id: 9, parts: [] })
      for (const part of own[0]?.parts ?? []) part.text = "changed"
    })
    expect(edited.items.map(({ id }) => id)).toEqual([5, 3, 2, 1, 0, 9])
    expect(edited.items.slice(1, 5).every((item) => items.includes(item))).toBe(true)
    expect(edited.items[0]).toEqual({ id: 5, parts: [{ text: "changed" }] })
    expect(items[5]).toEqual({ id: 5, parts: [{ text: "5" }] })
  })

  it("shares what a draft that was written anew repeats in its place", () => {
    const items = [
      { id: 1, parts: [{ text: "a" }] },
      { id: 2, parts: [] },
    ]
    const edited = drafted({ items }, (draft) => ({
      items: draft.items.map((item) => ({ ...item, extra: item.id === 2 })),
    }))
    expect(edited.items[1]).toEqual({ id: 2, parts: [], extra: true })
    expect(edited.items[0]?.parts[0]).toBe(items[0]?.parts[0])
  })

  it("is judged once: what reads differently the second time counts as it was copied", () => {
    let reads = 0
    const sly = {
      get command() {
        return reads++ === 0 ? "ls" : "rm -rf /"
      },
    }
    const result = kept({ command: "ls" }, sly, new WeakMap()) as { command: string }
    expect(result.command).toBe("ls")
  })

  it("holds nothing of the draft", () => {
    const mine = { deep: { value: 1 } }
    const edited = drafted<{ args: object }>({ args: {} }, (draft) => void (draft.args = mine))
    mine.deep.value = 2
    expect(edited).toEqual({ args: { deep: { value: 1 } } })
  })
})

it("freezes a copy all the way down, and leaves the value as it was", () => {
  const value = { list: [{ a: 1 }], date: new Date(0), run: () => 1 }
  const copy = frozenCopy(value)
  expect(copy).toEqual({ list: [{ a: 1 }], date: new Date(0) })
  for (const each of [copy, copy.list, copy.list[0], copy.date]) expect(Object.isFrozen(each)).toBe(true)
  expect(Object.isFrozen(value.list)).toBe(false)
})

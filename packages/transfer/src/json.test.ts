import { expect, it } from "vitest"
import { canonicalJSON, mapStrings } from "./json.ts"

it("does not depend on the order of fields, nor on those that are undefined", () => {
  const value = { b: [1, { y: null, x: undefined, a: "é\ud800" }], a: true, 1: 0.1 }
  const other = JSON.parse('{ "1": 0.1, "a": true, "b": [1, { "a": "é\\ud800", "y": null }] }') as unknown
  expect(canonicalJSON(value)).toBe(canonicalJSON(other))
  expect(JSON.parse(canonicalJSON(value))).toEqual(other)
})

it.each([
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: [] }, { a: {} }],
  [{ a: "1" }, { a: 1 }],
  [{ a: null }, {}],
  [{ __proto__: null, a: 1 }, {}],
  [JSON.parse('{ "__proto__": 1 }'), {}],
])("tells %j from %j", (a, b) => {
  expect(canonicalJSON(a)).not.toBe(canonicalJSON(b))
})

it("changes each string, told the name of its field", () => {
  const seen = mapStrings({ a: "x", list: ["y", { b: "z", n: 1, no: null }] }, (text, key) => `${key}=${text}`)
  expect(seen).toEqual({ a: "a=x", list: ["list=y", { b: "b=z", n: 1, no: null }] })
})

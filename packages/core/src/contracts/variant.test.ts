import { describe, expect, it } from "vitest"
import { requireVariant, storedVariant, variantChange, variantFor, variantOptions } from "./variant.ts"

const having = (...names: string[]) => ({ variants: Object.fromEntries(names.map((name) => [name, { effort: name }])) })

describe("variantFor", () => {
  it.each([
    ["its own", ["low", "high"], "high", "high"],
    ["the only one that is an effort", ["fast", "high"], "low", "high"],
    ["the nearest one", ["none", "low", "medium", "high"], "max", "high"],
    ["the weaker one of two that are as near", ["low", "high"], "medium", "low"],
    ["one of its own name, whatever it means", ["turbo"], "turbo", "turbo"],
    ["none for a word that is no effort", ["low", "high"], "turbo", undefined],
    ["none where there are none", [], "high", undefined],
    ["none for what is only called like a part of each object", ["low"], "constructor", undefined],
    ["none where none is wanted", ["low"], undefined, undefined],
    ["none for the default", ["low"], "default", undefined],
  ])("is %s", (_what, names, wanted, found) => {
    expect(variantFor(having(...names), wanted)).toBe(found)
  })

  it("has the options of what was found", () => {
    expect(variantOptions(having("low", "high"), "max")).toEqual({ effort: "high" })
    expect(variantOptions({}, "max")).toEqual({})
  })
})

it("refuses a variant that the model has not, and names those it has", () => {
  const model = (...names: string[]) => {
    const info = { ...having(...names), id: "large", name: "Large" } as never
    return { ref: { providerID: "acme", modelID: "large" }, info }
  }
  expect(() => requireVariant(model("low", "high"), "turbo")).toThrow(
    'Model "acme/large" has no variant "turbo". Known: low, high, default.',
  )
  expect(() => requireVariant(model(), "low")).toThrow('Model "acme/large" has no variant "low". It has none.')
  expect(() => requireVariant(model(), "default")).not.toThrow()
  expect(() => requireVariant(model("low"), "low")).not.toThrow()
})

it("stores what the model has of what is wanted, and the wish for none", () => {
  expect(storedVariant(having("high"), "max")).toEqual({ variant: "high" })
  expect(storedVariant(having("high"), "default")).toEqual({ variant: "default" })
  expect(storedVariant({}, "max")).toEqual({})
})

it("says what becomes of a variant that is not there", () => {
  const told = (names: string[], wanted: string) =>
    variantChange({ ref: { providerID: "acme", modelID: "large" }, info: having(...names) as never }, wanted)
  expect(told(["high"], "high")).toBeUndefined()
  expect(told(["high"], "default")).toBeUndefined()
  expect(told(["high"], "max")).toBe('Model "acme/large" has no variant "max": "high" is used, which is the nearest.')
  expect(told([], "max")).toBe('Model "acme/large" has no variant "max": none is used.')
})

import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import manifest from "../package.json" with { type: "json" }

/** The names of one entry fit on a screen. Fewer are not worth an entry of their own. */
const MIN_NAMES = 15
const MAX_NAMES = 45

const entries = Object.entries(manifest.exports).map(([path, { "@pawl/source": source }]) => {
  return { entry: path.replace(".", "@pawl/core"), source: new URL(`../${source}`, import.meta.url) }
})

it("has an entry for each reader", () => {
  const readers = ["host", "storage", "provider", "tool", "plugin", "permission", "record", "schemas"]
  expect(entries.map(({ entry }) => entry)).toEqual(["@pawl/core", ...readers.map((name) => `@pawl/core/${name}`)])
})

it.each(entries)("exports from 15 to 45 names to the readers of $entry", async ({ entry, source }) => {
  const names = exportedNames(await readFile(source, "utf8"))
  const count = new Set(names).size

  expect(count, `${entry} names something twice`).toBe(names.length)
  expect(count, `${entry} exports ${count} names: ${names.join(", ")}`).toBeGreaterThanOrEqual(MIN_NAMES)
  expect(count, `${entry} exports ${count} names: ${names.join(", ")}`).toBeLessThanOrEqual(MAX_NAMES)
})

it("reads lists, declarations and aliases, and refuses to count a star", () => {
  expect(exportedNames('export { a, type B } from "./a.ts"\nexport type {\n  C as D,\n} from "./c.ts"')).toEqual([
    "a",
    "B",
    "D",
  ])
  expect(exportedNames("export const e = 1\nexport interface F {}\nexport async function g() {}")).toEqual([
    "e",
    "F",
    "g",
  ])
  expect(() => exportedNames('export * from "./a.ts"')).toThrow('cannot count "export * from"')
})

function exportedNames(text: string): string[] {
  const pattern = /^export (?:type )?(?:\{([^}]*)\}|(?:declare |abstract |async )*(\w+) (\w+)|(\* from))/gm
  return [...text.matchAll(pattern)].flatMap(([all, list, , name]) => {
    if (list !== undefined) return list.split(",").flatMap((each) => /(\w+)\s*$/.exec(each)?.[1] ?? [])
    if (name === undefined) throw new Error(`cannot count "${all}"`)
    return [name]
  })
}

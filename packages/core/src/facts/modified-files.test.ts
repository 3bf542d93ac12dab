import * as fc from "fast-check"
import { expect, it } from "vitest"
import { emptyLedger } from "./ledger.ts"
import { renderLedger } from "./render-ledger.ts"

const tokensOf = (text: string) => Math.ceil(text.length / 4)
const files = (count: number, directories: number) => {
  return Array.from({ length: count }, (_, n) => ({ path: `/repo/packages/p${n % directories}/src/file-${n}.ts` }))
}
const shown = (count: number, directories: number, limit: number) => {
  return (
    renderLedger({ ...emptyLedger, modified: files(count, directories) }, { directory: "/repo", limit, tokensOf }) ?? ""
  )
}

it("names every file as long as the limit allows it", () => {
  const text = shown(300, 20, 10_000)
  for (const { path } of files(300, 20)) expect(text).toContain(path.replace(/^.*\//, ""))
})

it("names the newest and counts the others by directory", () => {
  const text = shown(300, 20, 600)
  expect(text).toMatch(/^Files modified \(300, of which the newest \d+ are named: search for the others/)
  expect(text).toContain("file-299.ts")
  expect(text).toMatch(/- packages\/p0\/src\/: \d+ files/)
  const named = Number(/newest (\d+) are/.exec(text)?.[1])
  const counted = [...text.matchAll(/: (\d+) files?$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
  expect(named + counted).toBe(300)
})

it("counts by a directory above where there are too many", () => {
  expect(shown(1600, 1600, 500)).toMatch(/- packages\/: \d+ files$/)
})

it("says at least how many there are", () => {
  expect(shown(1600, 1600, 25)).toBe("Files modified: 1600 (search for the others with the tool recall)")
})

it("takes no more than the limit", () => {
  const path = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.array(path, { maxLength: 80 }), fc.nat(1000), (paths, limit) => {
      const modified = paths.map((segments) => ({ path: `/repo/${segments.join("/")}` }))
      const failing = [{ command: "npm test", tests: paths.map((segments) => segments.join(" ")) }]
      const text = renderLedger({ ...emptyLedger, modified, failing }, { limit, tokensOf }) ?? ""
      expect(tokensOf(text.replaceAll(/ \(\d+ more not shown\)/g, ""))).toBeLessThanOrEqual(limit)
    }),
  )
})

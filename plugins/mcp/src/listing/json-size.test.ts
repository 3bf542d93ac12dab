import { expect, it } from "vitest"
import { jsonSize } from "./json-size.ts"

const nested = (depth: number): unknown => JSON.parse(`${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`)

it.each([{ a: "text", b: [1, true, null] }, [], "x".repeat(1000), { schema: nested(20) }])(
  "is near the truth",
  (value) => {
    const size = jsonSize(value, 10_000) ?? 0
    expect(size).toBeGreaterThanOrEqual(JSON.stringify(value).length)
    expect(size).toBeLessThan(JSON.stringify(value).length * 3 + 10)
  },
)

it("is none for what is too long, or too deep", () => {
  expect(jsonSize(["x".repeat(100)], 50)).toBeUndefined()
  expect(jsonSize({ ["x".repeat(100)]: 1 }, 50)).toBeUndefined()
  expect(jsonSize(nested(100_000), 10_000_000)).toBeUndefined()
})

import { expect, it } from "vitest"
import { carriedRequests, withoutMiddle } from "./earlier-requests.ts"

it("are carried over as lines, oldest first, each cut where it is long", () => {
  expect(carriedRequests(["First."], ["Second\n  line."])).toEqual(["First.", "Second line."])
  const [long = ""] = carriedRequests([], [`Look.${"x".repeat(10_000_000)} From now on, be quick.`])
  expect(long).toMatch(/^Look\.x+ … x+ From now on, be quick\.$/)
  expect(long).toHaveLength(220)
})

it("lose their middle where they are too many", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `request ${String(at).padStart(2, "0")}`)
  const kept = withoutMiddle(lines, 100)
  expect(kept).toEqual(["request 00", "request 01", "request 02", ...lines.slice(-6)])
})

it("stay bounded however often they are carried over", () => {
  let carried: string[] = []
  for (let round = 0; round < 400; round++) carried = carriedRequests(carried, [`${round} ${"y".repeat(200)}`])
  expect(carried.join("").length).toBeLessThanOrEqual(24_000)
  expect(carried[0]).toMatch(/^0 /)
  expect(carried.at(-1)).toMatch(/^399 /)
})

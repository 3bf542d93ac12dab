import { expect, it } from "vitest"
import { reconnectDelay } from "./backoff.ts"

it("doubles up to thirty seconds, half of it by chance", () => {
  expect([0, 1, 2, 3].map((failures) => reconnectDelay(failures, 1))).toEqual([500, 1000, 2000, 4000])
  expect(reconnectDelay(0, 0)).toBe(250)
  expect(reconnectDelay(10_000, 1)).toBe(30_000)
})

import { describe, expect, it } from "vitest"
import { ago, count, dollars, duration, plural } from "./quantity.ts"

describe("quantities for people", () => {
  it.each([
    [duration(0), "0.0s"],
    [duration(-5), "0.0s"],
    [duration(440), "0.4s"],
    [duration(9949), "9.9s"],
    [duration(9951), "10s"],
    [duration(59_600), "1m 00s"],
    [duration(185_000), "3m 05s"],
    [count(0), "0"],
    [count(999), "999"],
    [count(1000), "1.0k"],
    [count(12_449), "12.4k"],
    [count(99_951), "100k"],
    [count(999_949), "1000k"],
    [count(999_950), "1.0M"],
    [count(2_200_000), "2.2M"],
    [plural(0, "step"), "0 steps"],
    [plural(1, "step"), "1 step"],
    [plural(2, "match", "matches"), "2 matches"],
    [plural(10_000, "step"), "10,000 steps"],
    [ago(-1e300, 0), "long ago"],
    [dollars(0.016), "$0.0160"],
    [dollars(0.99999), "$1.0000"],
    [dollars(12.345), "$12.35"],
  ])("%s is %s", (told, expected) => {
    expect(told).toBe(expected)
  })

  const minute = 60_000
  it.each([
    [0, "now"],
    [-5 * minute, "now"],
    [minute, "1 min ago"],
    [59 * minute, "59 min ago"],
    [60 * minute, "1 h ago"],
    [24 * 60 * minute, "1 d ago"],
    [14 * 24 * 60 * minute, "2026-01-01"],
  ])("%i milliseconds before is %s", (before, told) => {
    const now = Date.UTC(2026, 0, 15)

    expect(ago(now - before, now)).toBe(told)
  })
})

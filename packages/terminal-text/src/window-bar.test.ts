import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { renderBar, type WindowShares } from "./window-bar.ts"

const shares: WindowShares = {
  system: 2_000,
  instructions: 6_000,
  tools: 8_000,
  summary: 4_000,
  tail: 60_000,
  new: 20_000,
}
const none: WindowShares = { system: 0, instructions: 0, tools: 0, summary: 0, tail: 0, new: 0 }

describe("the bar", () => {
  it("shows what fills the window, and what is free", () => {
    expect(renderBar(shares, 200_000, 60)).toBe(
      [
        "█▓▓▒▒░▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▞▞▞▞▞▞······························",
        "█ system 2.0k  ▓ instructions 6.0k  ▒ tools 8.0k",
        "░ summary 4.0k  ▚ tail 60k  ▞ new 20k  · free 100k",
        "100k of 200k tokens (50 %)",
      ].join("\n"),
    )
  })

  it("has signs of its own for terminals without Unicode", () => {
    const bar = renderBar(shares, 200_000, 60, { ascii: true })
    expect(bar).toMatch(/^[\x20-\x7E\n]+$/)
    expect(bar.split("\n")[0]).toMatch(/^#+%+=+-+\++\*+\.+$/)
  })

  it("says by how much a request is too large", () => {
    const [bar, ...legend] = renderBar(shares, 80_000, 60).split("\n")
    expect(bar).not.toContain("·")
    expect(legend.join(" ")).toContain("100k of 80k tokens (125 %)  20k too many")
  })

  it("fills the bar where the limit is not known, and is empty where there is nothing", () => {
    expect(renderBar(shares, 0, 60).split("\n").at(-1)).toBe("100k tokens, limit not known")
    expect(renderBar(shares, 0, 60)).not.toContain("·")
    expect(renderBar(none, 0, 40).split("\n")[0]).toBe("·".repeat(40))
    expect(renderBar(none, 1_000, 40).split("\n")[0]).toBe("·".repeat(40))
  })

  it("is as wide as it is told, within 40 and 120 columns, shows every share that is not empty, and nothing else", () => {
    const tokens = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(2_000_000))
    const any = fc.record({
      system: tokens,
      instructions: tokens,
      tools: tokens,
      summary: tokens,
      tail: tokens,
      new: tokens,
    })
    fc.assert(
      fc.property(any, fc.nat(1_000_000), fc.integer({ min: 0, max: 200 }), (filled, usable, width) => {
        const [bar = "", ...legend] = renderBar(filled, usable, width).split("\n")
        const columns = Math.min(120, Math.max(40, width))
        expect(bar).toHaveLength(columns)
        for (const line of legend) expect(line.length).toBeLessThanOrEqual(columns)
        const signs = { system: "█", instructions: "▓", tools: "▒", summary: "░", tail: "▚", new: "▞" }
        for (const [share, sign] of Object.entries(signs)) {
          expect(bar.includes(sign)).toBe(filled[share as keyof WindowShares] > 0)
        }
      }),
    )
  })

  it("gives a share that is twice as large about twice the columns", () => {
    const bar = renderBar({ ...none, tail: 20_000, new: 40_000 }, 120_000, 120)
    const count = (sign: string) => bar.split("\n")[0]?.split(sign).length ?? 0
    expect(Math.abs(count("▞") - 2 * count("▚"))).toBeLessThanOrEqual(3)
  })
})

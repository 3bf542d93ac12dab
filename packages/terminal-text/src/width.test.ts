import { describe, expect, it } from "vitest"
import { clip, clipStart, columnsOf } from "./width.ts"

describe("columnsOf", () => {
  it.each([
    ["", 0],
    ["plain text", 10],
    ["café · 3…", 9],
    ["cafe\u0301", 4],
    ["日本語", 6],
    ["ﾊﾝｶｸ", 4],
    ["한국어", 6],
    ["✅ done", 7],
    ["⚠ plain, ⚠️ picture", 19],
    ["👩‍👩‍👧‍👦", 2],
    ["🇨🇭🇯🇵", 4],
    ["👍🏽", 2],
    ["1️⃣", 2],
    ["zero\u200Bwidth\u2060", 9],
    ["─│●✔✗", 5],
    ["नमस्ते", 4],
  ])("of %j is %i", (text, columns) => {
    expect(columnsOf(text)).toBe(columns)
  })
})

describe("clip", () => {
  it.each([
    ["fits exactly", 12, "fits exactly"],
    ["is cut", 5, "is c…"],
    ["日本語", 6, "日本語"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"],
    ["cafe\u0301s", 4, "caf…"],
    ["cafe\u0301ss", 5, "cafe\u0301…"],
    ["x", 1, "x"],
    ["xy", 1, "…"],
    ["xy", 0, ""],
    ["xy", -3, ""],
  ])("%j to %i columns is %j", (text, columns, clipped) => {
    expect(clip(text, columns)).toBe(clipped)
    expect(columnsOf(clipped)).toBeLessThanOrEqual(Math.max(columns, 0))
  })
})

describe("clipStart", () => {
  it.each([
    ["fits exactly", 12, "fits exactly"],
    ["/srv/deep/down", 6, "…/down"],
    ["日本語", 5, "…本語"],
    ["日本語", 4, "…語"],
    ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "…👩‍👩‍👧‍👦"],
    ["xy", 1, "…"],
    ["xy", 0, ""],
  ])("%j to %i columns is %j", (text, columns, clipped) => {
    expect(clipStart(text, columns)).toBe(clipped)
    expect(columnsOf(clipped)).toBeLessThanOrEqual(Math.max(columns, 0))
  })
})

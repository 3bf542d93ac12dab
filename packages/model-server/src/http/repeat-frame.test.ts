import { expect, it } from "vitest"
import { repeatFrame } from "./repeat-frame.ts"

it.each([0, 1, 7, 9_362, 9_363, 30_000])("repeats a frame %i times", (count) => {
  const blocks = [...repeatFrame("data: é", count)]

  expect(Buffer.concat(blocks).toString()).toBe("data: é".repeat(count))
  expect(blocks.every((block) => block.length <= 64 * 1024)).toBe(true)
})

it("sends a frame larger than a block alone", () => {
  const frame = "x".repeat(100_000)

  expect([...repeatFrame(frame, 3)].map((block) => block.length)).toEqual([100_000, 100_000, 100_000])
})

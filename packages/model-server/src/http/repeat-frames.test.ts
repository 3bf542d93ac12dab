import { expect, it } from "vitest"
import { repeatFrames } from "./repeat-frames.ts"

it.each([0, 1, 7, 9_362, 9_363, 30_000])("repeats a frame %i times", (count) => {
  const blocks = [...repeatFrames(["data: é"], count)]

  expect(Buffer.concat(blocks).toString()).toBe("data: é".repeat(count))
  expect(blocks.every((block) => block.length <= 64 * 1024)).toBe(true)
})

it.each([0, 1, 2, 3, 10, 20_000])("gives %i frames in turn, ending anywhere in the row", (count) => {
  const frames = ["one ", "two ", "three "]
  const expected = Array.from({ length: count }, (_, at) => frames[at % 3]).join("")

  expect(Buffer.concat([...repeatFrames(frames, count)]).toString()).toBe(expected)
})

it("sends a frame larger than a block alone", () => {
  const frame = "x".repeat(100_000)

  expect([...repeatFrames([frame], 3)].map((block) => block.length)).toEqual([100_000, 100_000, 100_000])
})

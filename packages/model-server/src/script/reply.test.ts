import { describe, expect, it } from "vitest"
import { cut, deltas, end, finish, reply, stall, streamError, text, usage, wait } from "../index.ts"

describe("reply", () => {
  it.each([
    ["cut", cut()],
    ["end", end()],
    ["stall", stall()],
    ["stream-error", streamError("Overloaded")],
  ])("has nothing behind a %s", (name, step) => {
    expect(() => reply(step, text("never sent"))).toThrow(`Nothing is sent after a "${name}" step`)
    expect(() => reply(text("sent"), step, usage({ inputTokens: 1 }))).not.toThrow()
  })

  it("takes each setting once, at any place", () => {
    expect(reply(finish("length"), text("a"), usage({ cachedTokens: 3 }))).toEqual({
      type: "answer",
      steps: [text("a")],
      finish: "length",
      usage: { cachedTokens: 3 },
    })
    expect(() => reply(finish("stop"), finish("length"))).toThrow('2 "finish" settings')
  })

  it("refuses numbers that make no sense", () => {
    expect(() => wait(-1)).toThrow("0 or more milliseconds, got -1")
    expect(() => wait(NaN)).toThrow("got NaN")
    expect(() => deltas({ text: "a", count: 1.5 })).toThrow("got 1.5")
  })
})

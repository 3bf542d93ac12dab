import { describe, expect, it } from "vitest"
import { call, cut, deltas, end, finish, rateLimit, reply, stall, streamError, text, usage, wait } from "../index.ts"

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
    expect(() => wait(-1)).toThrow("wait() needs 0 to 2147483647 milliseconds, got -1.")
    expect(() => wait(NaN)).toThrow("got NaN")
    expect(() => wait(2 ** 31)).toThrow("got 2147483648")
    expect(() => usage({ inputTokens: -1 })).toThrow(
      'usage() with "inputTokens" needs a whole number of 0 or more, got -1.',
    )
    expect(() => usage({ outputTokens: Infinity })).toThrow("got Infinity")
    expect(() => rateLimit({ retryAfter: -1 })).toThrow(
      'rateLimit() with "retryAfter" needs 0 or more seconds, got -1.',
    )
    expect(() => rateLimit({ retryAfter: NaN })).toThrow("got NaN")
    expect(() => deltas({ text: "a", count: 1.5 })).toThrow("got 1.5")
  })

  it("refuses a call of a tool without a name", () => {
    expect(() => call("")).toThrow("call() needs the name of a tool, got an empty one.")
  })
})

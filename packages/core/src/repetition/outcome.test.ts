import { describe, expect, it } from "vitest"
import type { ToolState } from "../record/message.ts"
import { complete, fail, pending, run } from "../contracts/tool-state.ts"
import { outcomeOf } from "./outcome.ts"

const running = run(pending("{}"), {}, 1)
const done = (output: string): ToolState => complete(running, { title: "", output }, [], 2)
const picture = (url: string): ToolState =>
  complete(
    running,
    { title: "", output: "" },
    [{ id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "file", mime: "image/png", url }],
    2,
  )

describe("outcomeOf", () => {
  it.each([
    ["durations", "Tests 3 failed in 2.31s", "Tests 3 failed in 12.07s"],
    ["points in time", "2026-11-21T14:01:11.482Z error", "2026-11-22T09:00:00.001Z error"],
    ["names of logs", "_logs/2026-11-21T14_01_11_482Z-debug-0.log", "_logs/2026-11-21T14_02_19_007Z-debug-0.log"],
    ["clock times", "Start at 14:01:11", "Start at 14:02:59"],
    ["dates", "Sat Nov 21 14:01:11 UTC 2026", "Sun Nov 22 14:01:19 UTC 2026"],
    ["unique ids", "request 0f8fad5b-d9cb-469f-a165-708677289501", "request 7c9e6679-7425-40de-944b-e07fc1f90ae7"],
    ["addresses", "at 0x7ffd1234", "at 0x7ffd9876"],
    ["temporary paths", "/tmp/tmp.Xa3/a.log", "/tmp/tmp.Qz9/a.log"],
    ["process numbers", "pid: 4037 in use", "pid: 4074 in use"],
    ["colours", "\u001B[31mfailed\u001B[0m", "failed"],
    ["the order of lines", "a failed\nb failed", "b failed\na failed"],
    ["where a long output is kept", "x\n\n... 12 lines truncated. See /o/1", "x\n\n... 12 lines truncated. See /o/2"],
    ["where a long output is kept by the tool", "Full output: /o/call_1", "Full output: /o/call_2"],
  ])("does not mind %s", (_, a, b) => {
    expect(outcomeOf(done(a))).toBe(outcomeOf(done(b)))
    expect(outcomeOf(fail(running, a, 2))).toBe(outcomeOf(fail(running, b, 2)))
  })

  it.each([
    ["counts", "Tests 3 failed", "Tests 2 failed"],
    ["shares", "[ 40%] Compiling", "[ 48%] Compiling"],
    ["commits", "HEAD is at c0ffee1", "HEAD is at c0ffee2"],
    ["lines", "GET /a", "GET /a\nGET /b"],
    ["sizes", "7340032 model.bin", "14680064 model.bin"],
  ])("minds %s", (_, a, b) => {
    expect(outcomeOf(done(a))).not.toBe(outcomeOf(done(b)))
  })

  it("tells errors from results, and pictures apart", () => {
    expect(outcomeOf(done("x"))).not.toBe(outcomeOf(fail(running, "x", 2)))
    expect(outcomeOf(picture("data:image/png;base64,AAAA"))).not.toBe(outcomeOf(picture("data:image/png;base64,AAAB")))
    expect(outcomeOf(picture("data:,A"))).not.toBe(outcomeOf(done("")))
  })

  it("stays what it was when the output is cleared from the context", () => {
    const state = done("x") as Extract<ToolState, { status: "completed" }>
    expect(outcomeOf({ ...state, time: { ...state.time, compacted: 9 } })).toBe(outcomeOf(state))
  })

  it("is unknown while the call runs", () => {
    expect(outcomeOf(running)).toBeUndefined()
    expect(outcomeOf(pending("{}"))).toBeUndefined()
  })
})

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CALLS_LOOKED_AT, type CallRecord, judgeCall } from "./calls.ts"
import type { Call } from "./repetition.ts"

const made = (key: string, outcome: string | undefined = "ok", more: Partial<CallRecord> = {}): CallRecord => {
  return { tool: "read", key, outcome, ...more }
}
const next = (key: string, more: Partial<Call> = {}): Call => ({ tool: "read", key, ...more })
const rounds = (count: number, block: (round: number) => CallRecord[]) =>
  Array.from({ length: count }, (_, at) => block(at + 1)).flat()

function judged(earlier: readonly CallRecord[], call: Call) {
  const verdict = judgeCall(earlier, call)
  return verdict.type === "fresh" ? "fresh" : `${verdict.repetition.times} ${verdict.repetition.reason}`
}

/** What each call of a turn is judged when it is about to run. */
function judgedInTurn(calls: readonly CallRecord[]) {
  return calls.map((call, at) => judged(calls.slice(0, at), call))
}

describe("judgeCall", () => {
  it("flags the call that would complete the third repetition, not one before", () => {
    expect(judgedInTurn(rounds(4, () => [made("a")]))).toEqual(["fresh", "fresh", "3 unchanged", "4 unchanged"])
  })

  it("flags blocks of one to four calls at the end of their third repetition, whatever came before", () => {
    const keys = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 4 })
    const before = fc.uniqueArray(fc.constantFrom("v", "w", "x", "y", "z"))
    fc.assert(
      fc.property(keys, before, (block, prefix) => {
        const calls = [...prefix, ...block, ...block, ...block].map((key) => made(key))
        const flags = judgedInTurn(calls)
        expect(flags.at(-1)).toBe("3 unchanged")
        expect(flags.slice(0, -1).every((flag) => flag === "fresh")).toBe(true)
      }),
    )
  })

  it("names the block in its order", () => {
    const calls = rounds(3, () => [made("a"), made("b"), made("c")])
    const verdict = judgeCall(calls.slice(0, -1), next("c"))
    expect(verdict).toMatchObject({ repetition: { block: [{ key: "a" }, { key: "b" }, { key: "c" }], nudged: false } })
  })

  it("takes longer blocks for work", () => {
    expect(judgedInTurn(rounds(9, () => "abcde".split("").map((key) => made(key))))).not.toContain("3 unchanged")
  })

  it("tells tools with the same arguments apart", () => {
    const calls = ["read", "list", "glob", "grep", "stat"].map((tool) => ({ ...made("a"), tool }))
    expect(judgedInTurn([...calls, ...calls, ...calls]).every((flag) => flag === "fresh")).toBe(true)
  })

  it("sees progress where results differ, until there is no end to it", () => {
    const flags = judgedInTurn(rounds(21, (round) => [made("a", `${round}`)]))
    expect(flags.indexOf("20 changing")).toBe(19)
    expect(flags.slice(0, 19).every((flag) => flag === "fresh")).toBe(true)
  })

  it("sees progress where one result of a block differs", () => {
    const calls = rounds(5, (round) => [made("edit"), made("test", `${round}`)])
    expect(judgedInTurn(calls).every((flag) => flag === "fresh")).toBe(true)
  })

  it("counts from the last change on", () => {
    const calls = ["1", "2", "3", "3"].map((outcome) => made("a", outcome))
    expect(judged(calls.slice(0, 3), next("a"))).toBe("fresh")
    expect(judged(calls, next("a"))).toBe("3 unchanged")
  })

  it("flags endless blocks of four although sixty calls hold only fifteen of them", () => {
    const calls = rounds(15, (round) => "abcd".split("").map((key) => made(key, `${round}`)))
    expect(judged(calls.slice(0, -1), next("d"))).toBe("15 changing")
    expect(judged(calls.slice(0, -5), next("d"))).toBe("fresh")
  })

  it("lets tools wait that say so, though not for ever", () => {
    const flags = judgedInTurn(rounds(31, () => [made("a", "pending", { pollable: true })]))
    expect(flags.findIndex((flag) => flag !== "fresh")).toBe(29)
    expect(flags[29]).toBe("30 waiting")
  })

  it("never minds waiting that shows progress", () => {
    const calls = rounds(80, (round) => [made("a", `${round}`, { pollable: true })])
    expect(judgedInTurn(calls).every((flag) => flag === "fresh")).toBe(true)
  })

  it("takes looking at something else between polls for waiting", () => {
    const calls = rounds(10, () => [made("job", "pending", { pollable: true }), made("a")])
    expect(judgedInTurn(calls).every((flag) => flag === "fresh")).toBe(true)
  })

  it("does not take polls that fail for waiting, nor failing calls between polls", () => {
    const failing = { failed: true, pollable: true }
    expect(judgedInTurn(rounds(3, () => [made("a", "no such job", failing)])).at(-1)).toBe("3 unchanged")
    const between = () => [made("a", "failed", { failed: true }), made("job", "pending", { pollable: true })]
    expect(judgedInTurn(rounds(3, between)).at(-1)).toBe("3 unchanged")
  })

  it("counts copies in one answer once: none has seen the other's result", () => {
    const calls = rounds(3, (round) => [made("a", "ok", { reply: `${round}` }), made("a", "ok", { reply: `${round}` })])
    expect(judgedInTurn(calls)).toEqual(["fresh", "fresh", "fresh", "fresh", "3 unchanged", "fresh"])
  })

  it("flags the tenth copy in one answer", () => {
    const flags = judgedInTurn(rounds(11, () => [made("a", undefined, { reply: "1" })]))
    expect(flags.findIndex((flag) => flag !== "fresh")).toBe(9)
    expect(flags[9]).toBe("10 one-reply")
  })

  it("does not mind the order of calls in one answer", () => {
    const answers = ["ab", "ba", "ba"].flatMap((keys, at) =>
      keys.split("").map((key) => made(key, "ok", { reply: `${at}` })),
    )
    expect(judgedInTurn(answers)).toEqual(["fresh", "fresh", "fresh", "fresh", "fresh", "3 unchanged"])
  })

  it("minds the order of answers", () => {
    const keys = "abbaabbcacab".split("")
    expect(judgedInTurn(keys.map((key) => made(key))).every((flag) => flag === "fresh")).toBe(true)
  })

  it("goes on counting over a call that was not run", () => {
    const calls = [made("a"), made("a"), made("a", "told", { failed: true, nudged: true })]
    expect(judgeCall(calls, next("a"))).toMatchObject({ repetition: { times: 4, reason: "unchanged", nudged: true } })
  })

  it("knows that the model was told of a block, wherever in it the model begins again", () => {
    const told = [...rounds(3, () => [made("a"), made("b")]).slice(0, -1), made("b", "told", { nudged: true })]
    const again = [...told, made("z"), ...rounds(3, () => [made("b"), made("a")])].slice(0, -1)
    expect(judgeCall(again, next("a"))).toMatchObject({ repetition: { times: 3, nudged: true } })
    const other = [...told, ...rounds(2, () => [made("y")])]
    expect(judgeCall(other, next("y"))).toMatchObject({ repetition: { times: 3, nudged: false } })
  })

  it("reads no more than it says", () => {
    const calls = rounds(100, () => [made("a", "pending", { pollable: true })])
    const needed = calls.slice(1 - CALLS_LOOKED_AT)
    expect(judgeCall(calls, next("a"))).toEqual(judgeCall(needed, next("a")))
  })
})

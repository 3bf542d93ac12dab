import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createCallJudge, MAX_UNITS } from "./calls.ts"
import type { Call } from "./repetition.ts"
import { type AnswerUnit, type CallRecord, toAnswerUnit } from "./unit.ts"

const made = (key: string, outcome: string | undefined = "ok", more: Partial<CallRecord> = {}): CallRecord => {
  return { tool: "read", key, outcome, ...more }
}
const next = (key: string, more: Partial<Call> = {}): Call => ({ tool: "read", key, ...more })
const rounds = (count: number, block: (round: number) => CallRecord[]) =>
  Array.from({ length: count }, (_, at) => block(at + 1)).flat()

/** The verdict on `next` after the calls of earlier answers, and those of its own that come before it. */
function judgeCall(earlier: readonly CallRecord[], next: Call) {
  const isBefore = ({ reply }: CallRecord) => reply === undefined || reply !== next.reply
  const judge = createCallJudge(toAnswers(earlier.filter((call) => isBefore(call))))
  for (const call of earlier) if (!isBefore(call)) judge(call)
  return judge(next)
}

function toAnswers(calls: readonly CallRecord[]): readonly AnswerUnit[] {
  const answers: CallRecord[][] = []
  for (const call of calls) {
    const answer = answers.at(-1)
    if (answer && call.reply !== undefined && answer[0]?.reply === call.reply) answer.push(call)
    else answers.push([call])
  }
  return answers.map((answer) => toAnswerUnit(answer))
}

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

  it.each([5, 6, 12, 20, 80])(
    "flags the end of the third rotation of %i calls in any order, not one before",
    (length) => {
      const keys = Array.from({ length }, (_, at) => `${at}`)
      const shuffled = fc.array(fc.shuffledSubarray(keys, { minLength: length }), { minLength: 3, maxLength: 3 })
      fc.assert(
        fc.property(shuffled, (blocks) => {
          const judge = createCallJudge([])
          const flags = blocks.flat().map((key) => judge(next(key)).type)
          expect(flags.indexOf("repeats")).toBe(3 * length - 1)
        }),
        { numRuns: 5 },
      )
    },
  )

  it("sees progress in a long rotation where one result differs, until its twentieth round", () => {
    const rotation = (length: number, count: number) =>
      rounds(count, (round) => Array.from({ length }, (_, at) => made(`${at}`, at === 2 ? `${round}` : "ok")))
    expect(judged(rotation(6, 20).slice(0, -1), next("5"))).toBe("20 changing")
    expect(judged(rotation(6, 19).slice(0, -1), next("5"))).toBe("fresh")
    expect(judged(rotation(40, 6).slice(0, -1), next("39"))).toBe("fresh")
  })

  it("takes a rotation with something new in each round for work", () => {
    const calls = rounds(12, (round) => [..."abcde".split("").map((key) => made(key)), made(`edit ${round}`)])
    expect(judgedInTurn(calls).every((flag) => flag === "fresh")).toBe(true)
  })

  it("flags rotating answers of many calls in any order", () => {
    for (const period of [1, 2, 5, 6]) {
      const calls = rounds(3 * period, (round) => {
        const keys = Array.from({ length: 7 }, (_, at) => `${round % period} ${(at + round) % 7}`)
        return keys.map((key) => made(key, "ok", { reply: `${round}` }))
      })
      const flags = judgedInTurn(calls)
      expect([flags.indexOf("3 unchanged"), flags.at(-1)]).toEqual([calls.length - 1, "3 unchanged"])
    }
  })

  it("lets a rotation of polls wait", () => {
    const calls = rounds(30, () => "abcdef".split("").map((key) => made(key, "pending", { pollable: true })))
    expect(judged(calls.slice(0, -1), next("f", { pollable: true }))).toBe("30 waiting")
    expect(judged(calls.slice(0, -7), next("f", { pollable: true }))).toBe("fresh")
  })

  it("flags long rotations that wait, or that the user asked for, when the window shows no more of them", () => {
    const rotation = (count: number, more: Partial<CallRecord> = {}) =>
      rounds(count, () => Array.from({ length: 12 }, (_, at) => made(`${at}`, "ok", more)))
    expect(judgedInTurn(rotation(20, { pollable: true })).findIndex((flag) => flag !== "fresh")).toBe(239)
    const judge = createCallJudge(toAnswers(rotation(19)))
    const types = rotation(1).map((call) => judge(call, () => 59).type)
    expect(types.indexOf("repeats")).toBe(11)
  })

  it.each([3, 7])("flags %i calls that are split between answers at another place each time", (length) => {
    const calls = rounds(3, (round) =>
      Array.from({ length }, (_, at) => made(`${at}`, "ok", { reply: `${round} ${at < round}` })),
    )
    const flags = judgedInTurn(calls)
    expect([flags.findIndex((flag) => flag !== "fresh"), flags.at(-1)]).toEqual([3 * length - 1, "3 unchanged"])
  })

  it("tells tools with the same arguments apart", () => {
    const calls = ["read", "list", "glob", "grep", "stat"].map((tool) => ({ ...made("a"), tool }))
    const flags = judgedInTurn([...calls, ...calls, ...calls])
    expect(flags.findIndex((flag) => flag !== "fresh")).toBe(14)
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

  it("counts each of 700 copies in one answer", () => {
    const judge = createCallJudge([])
    const verdicts = Array.from({ length: 700 }, () => judge(next("a", { reply: "1" })))
    expect(verdicts.findIndex(({ type }) => type === "repeats")).toBe(9)
    expect(verdicts.at(-1)).toMatchObject({ repetition: { times: 700, reason: "one-reply" } })
  })

  it("flags the third answer with the same 2,000 calls, and looks at each call equally often in a larger answer", () => {
    let looks = 0
    const looksAt = (count: number) => {
      looks = 0
      const records = (round: number) =>
        Array.from({ length: count }, (_, at): CallRecord => {
          const record = made(`${(at + round) % count}`, "ok", { reply: `${round}` })
          return Object.defineProperty(record, "tool", { get: () => (looks++, "read"), enumerable: true })
        })
      const judge = createCallJudge([toAnswerUnit(records(1)), toAnswerUnit(records(2))])
      const flags = records(3).map((call) => judge(call).type)
      expect(flags.indexOf("repeats")).toBe(count - 1)
      return looks
    }
    const few = looksAt(500)
    expect(looksAt(2000) / few).toBeLessThan(6)
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
    const needed = calls.slice(1 - MAX_UNITS)
    expect(judgeCall(calls, next("a"))).toEqual(judgeCall(needed, next("a")))
  })
})

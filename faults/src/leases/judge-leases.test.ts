import type { Change } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { sessionID } from "../workload/records.ts"
import { judgeExecutions, judgeLeases } from "./judge-leases.ts"
import { eventPart, messageOf } from "./steps.ts"

const id = sessionID(1)

/** Revisions from 2 on, each with an event of this epoch. */
function events(...epochs: number[]): Change[] {
  return epochs.map((epoch, index) => {
    const base = { id: eventPart("w1", index), sessionID: id, messageID: messageOf(id) }
    return { type: "part.put", revision: index + 2, part: { ...base, type: "text", text: String(epoch) } }
  })
}

it("is content with epochs that only grow and revisions without a gap", () => {
  expect(judgeLeases(events(1, 1, 2), 4, [{ sessionID: id, revision: 4, epoch: 2 }])).toEqual([])
})

it.each([
  ["a stale owner's write", events(1, 2, 1), 4, []],
  ["a gap", events(1, 1), 4, []],
  ["two commits of one revision", [...events(1), ...events(1)], 2, []],
  ["an acknowledged commit that is another's", events(1, 2), 3, [{ sessionID: id, revision: 3, epoch: 1 }]],
] as const)("notices %s", (_what, changes, revision, acknowledged) => {
  expect(judgeLeases(changes, revision, acknowledged)).toHaveLength(1)
})

it("notices a call that was executed twice", () => {
  expect(judgeExecutions(["s 1 w1", "s 2 w1", "t 1 w2"])).toEqual([])
  expect(judgeExecutions(["s 1 w1", "s 1 w2"])).toEqual(["Call 1 of s was executed by w1 and by w2."])
})

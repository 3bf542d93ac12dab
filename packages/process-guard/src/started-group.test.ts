import { expect, it } from "vitest"
import type { ProcessRow } from "./process-row.ts"
import { groupMembers, groupName, toStartedGroup } from "./started-group.ts"

const owner = `${"a".repeat(16)}.${"b".repeat(16)}.12.345`
/** Ids that Linux gives to no process. */
const [id, other] = [2 ** 30, 2 ** 30 + 1]

it.each([
  { owner, id: 67, start: "89", autogroup: "10" },
  { owner: owner.replace("345", ""), id: 67, start: "", autogroup: "" },
])("is read from its name: %j", (group) => {
  expect(toStartedGroup(groupName(group))).toEqual(group)
})

it.each([owner, `${owner}.`, `${owner}.0.1.1`, `${owner}.67.1`, `${owner}.67.1.1.1`, `${owner}.-1.1.1`])(
  "is not read from %j",
  (name) => {
    expect(toStartedGroup(name)).toBeUndefined()
  },
)

it("has no members unless one of them is certainly the owner's, which proves that all are", () => {
  const group = { owner, id, start: "1", autogroup: "" }
  const row = { id: other, parent: 1, group: id, session: id, start: "2", marks: [] }
  const rows: ProcessRow[] = [
    row,
    { ...row, id: other + 1, group: other + 1 },
    { ...row, id: other + 2, group: 1, session: 1 },
  ]
  const members = rows.slice(0, 2)
  expect(groupMembers(rows, group, new Set())).toEqual([])
  expect(groupMembers(rows, group, new Set([`${other} 3`, `${other + 2} 2`]))).toEqual([])
  expect(groupMembers(rows, group, new Set([`${other} 2`]))).toEqual(members)
})

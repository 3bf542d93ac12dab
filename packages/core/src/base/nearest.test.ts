import { expect, it } from "vitest"
import { hookMap } from "../contracts/hook-map.ts"
import { nearestName } from "./nearest.ts"

const known = Object.keys(hookMap)

it.each([
  ["tool.execute.befor", "tool.execute.before"],
  ["tool.execute.Before", "tool.execute.before"],
  ["toolExecuteAfter", "tool.execute.after"],
  ["tool-execute-after", "tool.execute.after"],
  ["tools", "tool"],
  ["events", "event"],
  ["chat.mesage", "chat.message"],
  ["session.compacing", "session.compacting"],
  ["permission.asked", "permission.ask"],
  ["helper", undefined],
  ["id", undefined],
  ["", undefined],
  ["x".repeat(1_000_000), undefined],
])("of %s is %s", (written, name) => {
  expect(nearestName(written, known)).toBe(name)
})

import { expect, it } from "vitest"
import { splitLine } from "./split-line.ts"

it.each([
  ["", [""]],
  ["pawl ", ["pawl", ""]],
  ["pawl  run", ["pawl", "run"]],
  [`pawl run "fix the`, ["pawl", "run", "fix the"]],
  [`pawl run 'a "b" c' x`, ["pawl", "run", 'a "b" c', "x"]],
  ["pawl a\\ b", ["pawl", "a b"]],
  ["pawl run \\", ["pawl", "run", ""]],
  [`pawl '' x`, ["pawl", "", "x"]],
  ["pawl ünï 日本", ["pawl", "ünï", "日本"]],
])("splits %j", (line, words) => {
  expect(splitLine(line)).toEqual(words)
})

import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { createProcesses } from "../processes/processes.ts"
import { sqlite } from "../subjects/sqlite.ts"
import { reduced } from "../sweeps/scale.ts"
import type { Lab, Sweep, NegativeControl } from "../sweeps/sweep.ts"
import { runSweeps } from "./run-sweeps.ts"

const lab = {
  processes: createProcesses(),
  scale: reduced,
  fastDirectory: "",
  diskDirectory: "",
  straceMissing: undefined,
  childProgram: () => Promise.reject(new Error("No child is started here.")),
}

async function report(run: Sweep["run"], controls: readonly NegativeControl[] = [], progressEvery = 60_000) {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line.replaceAll(/\d+\.\d s/g, "0.0 s"))
  const options = { withControls: true, print, progressEvery }
  const rows = await runSweeps(lab, [{ name: "sweep", subject: sqlite, run, controls }], options)
  return { lines, good: rows.map(({ isGood }) => isGood) }
}

const clean = () => Promise.resolve({ points: 1, bad: [] })

it.each([
  ["a clean sweep", clean, true, "sweep, sqlite: 1 points, 0 bad, 0.0 s"],
  ["one that hit nothing", async () => ({ points: 0, bad: [] }), false, "sweep, sqlite: 0 points, 0 bad, 0.0 s BAD"],
  ["a finding", async () => ({ points: 2, bad: ["lost"] }), false, "sweep, sqlite: 2 points, 1 bad, 0.0 s BAD"],
  ["one left out", async () => ({ skipped: "no strace" }), true, "sweep, sqlite: skipped, no strace."],
] as const)("judges %s", async (_what, run, isGood, line) => {
  const { lines, good } = await report(run)
  expect([lines[0], good]).toEqual([line, [isGood]])
})

it("judges a sweep that breaks off", async () => {
  const { lines, good } = await report(() => Promise.reject(new Error("no room")))
  expect(lines.join("\n")).toContain("Broke off: Error: no room")
  expect(good).toEqual([false])
})

it.each([
  ["noticed in the right words", ["Session 1 is none of the possible"], true],
  ["noticed for another reason", ["Broke off: no room"], false],
  ["not noticed", [], false],
] as const)("judges a negative control that is %s", async (_how, bad, isGood) => {
  const control = { guard: "syncs", complaint: /possible/, run: () => Promise.resolve({ points: 1, bad }) }
  expect((await report(clean, [control])).good).toEqual([true, isGood])
})

it("tells how far a sweep is", async () => {
  const slow = async ({ onPoint }: Lab) => {
    onPoint()
    onPoint()
    await sleep(50)
    return clean()
  }
  expect((await report(slow, [], 5)).lines[0]).toMatch(/^sweep, sqlite: 2 points after \d+\.\d s$/)
})

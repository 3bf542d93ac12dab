import { expect, it } from "vitest"
import { unifiedDiff } from "./unified-diff.ts"

it("shows changed lines with three lines around them", async () => {
  const before = ["1", "2", "3", "4", "5", "6", "7", "8", "9", ""].join("\n")
  expect(await unifiedDiff("/w/a.txt", before, before.replace("5\n", "five\nfünf\n"))).toEqual({
    patch: "--- /w/a.txt\n+++ /w/a.txt\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+fünf\n 6\n 7\n 8\n",
    additions: 2,
    deletions: 1,
  })
})

it("shows a new file as added", async () => {
  const diff = await unifiedDiff("/w/a.txt", "", "a\nb")
  expect(diff.patch).toContain("@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n")
  expect(diff).toMatchObject({ additions: 2, deletions: 0 })
})

it("replaces everything where two texts share too little to compare them", async () => {
  const text = (word: string) => Array.from({ length: 1500 }, (_, index) => `${word} ${index}\n`).join("")
  const diff = await unifiedDiff("/w/a.txt", text("a"), text("b"))
  expect(diff).toMatchObject({ additions: 1500, deletions: 1500 })
  expect(diff.patch).toContain("@@ -1,1500 +1,1500 @@\n-a 0\n")
  const inside = await unifiedDiff("/w/a.txt", `x\n${text("a")}y\n`, `x\n${text("b")}y\n`)
  expect(inside).toMatchObject({ additions: 1500, deletions: 1500 })
  expect(inside.patch).toContain("@@ -2,1500 +2,1500 @@\n-a 0\n")
})

it("compares only what differs of a long text, and counts lines from its start", async () => {
  const before = Array.from({ length: 300_000 }, (_, index) => `line ${index + 1}\n`).join("")
  const diff = await unifiedDiff("/w/a.txt", before, before.replace("line 200000\n", ""))
  expect(diff.patch).toContain("@@ -199997,7 +199997,6 @@\n line 199997\n")
  expect(diff).toMatchObject({ additions: 0, deletions: 1 })
})

it("cuts a long patch at a line", async () => {
  const diff = await unifiedDiff("/w/a.txt", "", "line of some length\n".repeat(20_000))
  expect(diff.patch.length).toBeLessThan(66_000)
  expect(diff.patch).toMatch(/\n\+line of some length\n\.\.\. more was changed than is shown here\n$/)
  expect(diff.additions).toBe(20_000)
})

it("splits no long text that shares too little to be compared", async () => {
  const [before, after] = ["a\n".repeat(4_000_000), "b\n".repeat(4_000_000)]
  const heap = process.memoryUsage().heapUsed
  const diff = await unifiedDiff("/w/a.txt", before, after)
  // The lines as strings would take twenty times the text.
  expect(process.memoryUsage().heapUsed - heap).toBeLessThan(before.length * 10)
  expect(diff).toMatchObject({ additions: 4_000_000, deletions: 4_000_000 })
  expect(diff.patch).toMatch(/@@ -1,4000000 \+1,4000000 @@\n-a\n[^+]*\n\.\.\. more was changed/)
})

it("cannot be forged by a file's name", async () => {
  const diff = await unifiedDiff("/w/a\n+++ b", "a\n", "b\n")
  expect(diff.patch.split("\n").filter((line) => line.startsWith("+++"))).toHaveLength(1)
})

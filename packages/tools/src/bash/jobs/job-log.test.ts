import { stat } from "node:fs/promises"
import { expect, it } from "vitest"
import { testDirectory } from "../../../test/directory.ts"
import { createJobLog } from "./job-log.ts"
import { createJobReader } from "./job-reader.ts"
import { createLineFilter } from "./line-filter.ts"

const limits = { head: 100, ring: 64 }

async function filled(lines: number) {
  const log = await createJobLog(await testDirectory(), "job_1", limits)
  for (let line = 0; line < lines; line++) await log.write(`${String(line).padStart(9, "0")}\n`)
  return log
}

it("keeps the start, and of what follows the end, in a file that only its owner can read", async () => {
  const log = await filled(1000)
  await log.close()
  const { size, mode } = await stat(log.path)
  expect([size, mode & 0o777, log.size]).toEqual([164, 0o600, 10_000])
  expect((await log.read(0, 20)).bytes.toString()).toBe("000000000\n000000001\n")
  const piece = await log.read(200, 1000)
  expect(piece.start).toBe(10_000 - 64)
})

it("is read in order across the turn", async () => {
  const log = await filled(30)
  const found: Buffer[] = []
  for (let at = 0; at < log.size;) {
    const { start, bytes } = await log.read(at, 1000)
    found.push(bytes)
    at = start + bytes.length
  }
  const text = Buffer.concat(found).toString()
  expect(text.startsWith("000000000\n")).toBe(true)
  expect(text.endsWith("000000028\n000000029\n")).toBe(true)
  expect(text).toHaveLength(164)
  await log.close()
})

it("is read bit by bit, each bit once", async () => {
  const log = await createJobLog(await testDirectory(), "job_1")
  const reader = createJobReader(log)
  await log.write("one\ntw")
  expect(await reader.read()).toEqual({ text: "one\ntw", omitted: 0 })
  await log.write("o\n")
  const both = await Promise.all([reader.read(), reader.read()])
  expect(both.map(({ text }) => text)).toEqual(["o\n", ""])
  await log.close()
})

it("cuts no character in two", async () => {
  const log = await createJobLog(await testDirectory(), "job_1")
  await log.write("ü".repeat(100_000))
  const { text, omitted } = await createJobReader(log).read()
  expect(text).toMatch(/^ü+$/)
  expect(Buffer.byteLength(text) + omitted).toBe(200_000)
  await log.close()
})

it("finds lines in any amount of output", async () => {
  const log = await createJobLog(await testDirectory(), "job_1")
  const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index}\n`)
  await log.write(lines.join(""))
  const reader = createJobReader(log)
  expect(await reader.read(createLineFilter("9999$"))).toEqual({
    text: "line 9999\nline 19999\nline 29999\nline 39999\nline 49999\nline 59999\n",
    omitted: 0,
  })
  expect(await reader.read()).toEqual({ text: "", omitted: 0 })
  await log.close()
})

it("gives up on an expression that never ends", async () => {
  expect(() => createLineFilter("^(a+)+$")([`${"a".repeat(50)}!`])).toThrow("takes too long")
  expect(createLineFilter("\\-a")(["x -a", "b"])).toEqual(["x -a"])
})

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { createOutputSpool } from "./output-spool.ts"

const limits = { head: 100, tail: 50 }

async function spooled(directory: string, pieces: readonly string[]): Promise<string> {
  const spool = await createOutputSpool(directory, "call_1", limits)
  for (const piece of pieces) await spool.write(piece)
  await spool.finish()
  expect(await readdir(directory)).toHaveLength(1)
  return readFile(spool.path, "utf8")
}

it("keeps everything up to the limit, in order", async () => {
  const pieces = Array.from({ length: 15 }, (_, index) => `a line ${index + 10}\n`)
  expect(pieces.join("")).toHaveLength(150)
  expect(await spooled(await testDirectory(), pieces)).toBe(pieces.join(""))
})

it("keeps the start and the end of more, and says how much is missing", async () => {
  const pieces = Array.from({ length: 1000 }, (_, index) => `${String(index).padStart(9, "0")}\n`)
  const text = await spooled(await testDirectory(), pieces)
  const [head = "", dropped = "", end = ""] = text.split(/\n\n\.\.\. (\d+) bytes dropped \.\.\.\n\n/)
  expect(head).toBe(pieces.slice(0, 10).join(""))
  expect(end.length).toBeGreaterThanOrEqual(50)
  expect(end.length).toBeLessThan(60)
  expect(pieces.join("").endsWith(end)).toBe(true)
  expect(head.length + Number(dropped) + end.length).toBe(10_000)
})

it("leaves nothing behind when it is discarded", async () => {
  const directory = await testDirectory()
  const spool = await createOutputSpool(directory, "call_1", limits)
  for (let index = 0; index < 30; index++) await spool.write("0123456789")
  await spool.discard()
  expect(await readdir(directory)).toEqual([])
})

it("names its files so that nobody can have prepared them", async () => {
  const directory = await testDirectory()
  const first = await createOutputSpool(directory, "call_1", limits)
  const second = await createOutputSpool(directory, "call_1", limits)
  expect(first.path).not.toBe(second.path)
  expect(first.path.startsWith(join(directory, "tool_call_1_"))).toBe(true)
  await Promise.all([first.discard(), second.discard()])
})

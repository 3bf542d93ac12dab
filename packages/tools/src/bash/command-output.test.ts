import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { createCommandOutput, type FinishedOutput } from "./command-output.ts"

async function collect(
  chunks: readonly string[],
  directory?: string,
  blobs = testContext("/").blobs,
): Promise<FinishedOutput> {
  const output = createCommandOutput({ callID: "call_1", blobs, directory })
  for (const chunk of chunks) await output.accept(Buffer.from(chunk))
  return output.finish()
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`)

it("keeps a short output in memory alone", async () => {
  const directory = await testDirectory()
  const { blobs } = testContext(directory)
  expect(await collect(["a\n", "\u001b[1mb\u001b[0m"], directory, blobs)).toEqual({
    text: "a\nb",
    preview: "a\nb",
    ending: "a\nb",
    omitted: undefined,
    blob: undefined,
  })
  expect(await readdir(directory)).toEqual([])
  expect(blobs.stored.size).toBe(0)
})

it("keeps a long output as file and blob, and its last 2000 lines for the model", async () => {
  const directory = await testDirectory()
  const { blobs } = testContext(directory)
  const finished = await collect(lines(2500), directory, blobs)
  expect(finished.text).toBe(lines(2500).slice(500).join(""))
  expect(finished.omitted).toMatchObject({ lines: 500, bytes: lines(500).join("").length })
  const [name = ""] = await readdir(directory)
  expect(finished.omitted?.hint).toContain(join(directory, name))
  expect(await readFile(join(directory, name), "utf8")).toBe(lines(2500).join(""))
  expect(String(blobs.stored.get(finished.blob ?? ""))).toBe(String(Buffer.from(lines(2500).join(""))))
})

it("keeps all of a line that comes in many pieces", async () => {
  const directory = await testDirectory()
  const output = createCommandOutput({ callID: "call_1", blobs: testContext("/").blobs, directory })
  for (let round = 0; round < 300; round++) await output.accept(Buffer.from("x".repeat(10_000)))
  const finished = await output.finish()
  const [name = ""] = await readdir(directory)
  expect(await readFile(join(directory, name), "utf8")).toHaveLength(3_000_000)
  expect(finished.text).toHaveLength(50 * 1024)
})

it("makes the writer wait while the disk is behind", async () => {
  const output = createCommandOutput({ callID: "call_1", blobs: testContext("/").blobs, directory: undefined })
  const turns = Array.from({ length: 10 }, () => output.accept(Buffer.from("a line\n".repeat(50_000))))
  expect(turns[0]).toBeUndefined()
  expect(turns.at(-1)).toBeInstanceOf(Promise)
  await turns.at(-1)
  expect(output.accept(Buffer.from("a line\n"))).toBeUndefined()
  expect((await output.finish()).omitted?.lines).toBe(500_001 - 2000)
})

it("goes by bytes too", async () => {
  const finished = await collect([`${"x".repeat(1023)}\n`.repeat(60)])
  expect(finished.text).toHaveLength(50 * 1024)
  expect(finished.omitted).toMatchObject({ lines: 10, bytes: 10 * 1024 })
})

it("tells the end of a long output, far beyond what the model reads", async () => {
  expect((await collect(["first\n", ...lines(50_000)])).ending).toMatch(/^first\nline 1\n.*\nline 50000\n$/s)
  const { ending } = await collect(["first\n", ...lines(100_000)])
  expect(Buffer.byteLength(ending)).toBe(2 ** 20)
  expect(ending.endsWith("\nline 100000\n")).toBe(true)
})

it("keeps only the blob without a directory", async () => {
  const { blobs } = testContext("/")
  const finished = await collect(lines(2500), undefined, blobs)
  expect(finished.omitted?.hint).toContain("not kept in a file")
  expect(blobs.stored.has(finished.blob ?? "")).toBe(true)
})

it("previews the last 30,000 characters, the unfinished line included", async () => {
  const output = createCommandOutput({ callID: "call_1", blobs: testContext("/").blobs, directory: undefined })
  void output.accept(Buffer.from(`${"x".repeat(40_000)}\n 10%\r 20%`))
  expect(output.preview()).toHaveLength(30_000)
  expect(output.preview().endsWith("x\n 20%")).toBe(true)
  await output.finish()
})

it("does not lose the end when the disk cannot take the whole", async () => {
  const directory = await testDirectory({ "a file": "" })
  const finished = await collect(lines(2500), join(directory, "a file"))
  expect(finished.text).toBe(lines(2500).slice(500).join(""))
  expect(finished.omitted?.hint).toMatch(/^The full output could not be kept: E(EXIST|NOTDIR)/)
  expect(finished.blob).toBeUndefined()
  expect(finished.ending).toMatch(/\nline 2500\n$/)
})

import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"
import { bundledRipgrep, COMMON_ARGS, runRipgrep } from "./ripgrep.ts"

async function files(directory: string, changes: Partial<Parameters<typeof runRipgrep>[0]> = {}): Promise<string[]> {
  const found: string[] = []
  await runRipgrep({
    program: await bundledRipgrep(),
    args: [...COMMON_ARGS, "--files", "--null", "--", "./"],
    cwd: directory,
    env: {},
    signal: new AbortController().signal,
    separator: "\0",
    onRecord: (record) => found.push(record) > 0,
    ...changes,
  })
  return found
}

it("hands over records one by one, sorted", async () => {
  const directory = await testDirectory({ "b.txt": "", "a/new\nline.txt": "", ".git/config": "", ".hidden": "" })
  expect(await files(directory)).toEqual(["./.hidden", "./a/new\nline.txt", "./b.txt"])
})

it("ends the search as soon as nothing more is wanted", async () => {
  const directory = await testDirectory(
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}.txt`, ""])),
  )
  const found: string[] = []
  await files(directory, { onRecord: (record) => found.push(record) < 3 })
  expect(found).toHaveLength(3)
})

it("ends a search that would find nothing for ever once nothing more is wanted", async () => {
  const found = await files(await testDirectory(), {
    program: process.execPath,
    args: ["-e", "console.log('one\\0'); setInterval(() => {}, 1000)"],
    onRecord: () => false,
  })
  expect(found).toEqual([])
})

it("rejects in ripgrep's own words", async () => {
  const args = [...COMMON_ARGS, "--files-with-matches", "--null", "--", "(", "./"]
  await expect(files(await testDirectory(), { args })).rejects.toThrow("unclosed group")
})

it("tells that something could not be read, which ripgrep says by its exit code alone", async () => {
  const run = {
    cwd: ".",
    env: {},
    signal: new AbortController().signal,
    separator: "\0",
    onRecord: () => true,
  } as const
  const exitWith = (code: number) =>
    runRipgrep({ ...run, program: process.execPath, args: ["-e", `process.exit(${code})`] })
  expect(await exitWith(2)).toEqual({ isIncomplete: true })
  expect(await exitWith(1)).toEqual({ isIncomplete: false })
  await expect(exitWith(3)).rejects.toThrow("ended unexpectedly")
})

it("rejects with what goes wrong while a record is taken", async () => {
  const directory = await testDirectory({ "a.txt": "" })
  const onRecord = () => {
    throw new Error("no room")
  }
  await expect(files(directory, { onRecord })).rejects.toThrow("no room")
})

it("ends when the call is aborted", async () => {
  const controller = new AbortController()
  // A program that would run for ever in ripgrep's place.
  const searching = files(await testDirectory(), {
    program: process.execPath,
    args: ["-e", "console.log('started\\0'); setInterval(() => {}, 1000)"],
    signal: controller.signal,
    onRecord() {
      controller.abort()
      return true
    },
  })
  await expect(searching).rejects.toThrow("aborted")
})

it("says what to do when ripgrep is missing", async () => {
  const directory = await testDirectory()
  const ripgrep = async () => join(directory, "nowhere/rg")
  await expect(testTools(directory, { ripgrep }).run("glob", { pattern: "*" })).rejects.toThrow("nowhere/rg ENOENT")
})

import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryDirectory } from "./host.ts"
import { workplace } from "./workplace.ts"

/** A place with a cache of its own. */
async function place() {
  const { pawl } = await workplace()
  const cache = await temporaryDirectory()
  const directory = join(cache, "pawl/code")
  const run = (...args: string[]) => pawl(args, { environment: { XDG_CACHE_HOME: cache } })
  return { directory, run, files: () => readdir(directory) }
}

it("keeps what was compiled for each command, and starts from it", async () => {
  const { directory, run, files } = await place()
  const first = await run("models")
  const [file = ""] = await files()
  const written = await readFile(join(directory, file))
  const second = await run("models")

  expect(second).toEqual(first)
  expect(first.code).toBe(0)
  expect(file).toMatch(/^models-v/)
  // The second run adds what it compiled to what the first one had.
  expect((await readFile(join(directory, file))).equals(written)).toBe(false)
  await run("stats")
  expect((await files()).map((name) => name.split("-")[0])).toEqual(["models", "stats"])
})

it("works all the same with code that was damaged", async () => {
  const { directory, run, files } = await place()
  const whole = await run("models")
  const [file = ""] = await files()
  const code = await readFile(join(directory, file))
  for (const at of [0, 6, 100, code.length >> 1, code.length - 20]) {
    const damaged = Buffer.from(code)
    damaged.fill(0xa5, at, at + 16)
    await writeFile(join(directory, file), damaged)
    expect(await run("models")).toEqual(whole)
  }
})

it("is started by many at once", async () => {
  const { run } = await place()

  const runs = await Promise.all(Array.from({ length: 6 }, () => run("models")))
  expect(new Set(runs.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(runs[0]?.code).toBe(0)
})

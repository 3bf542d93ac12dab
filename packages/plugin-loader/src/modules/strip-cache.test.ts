import { chmod, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { testFiles } from "../../test/files.ts"
import { createModules } from "./modules.ts"
import { createStripCache } from "./strip-cache.ts"

const ENUM = "export enum Colour { Red = 1 }\n"

async function emptyCache() {
  const directory = (await testFiles()).path("types")
  const entries = () => readdir(directory).then((names) => names.map((name) => join(directory, name)))
  return { directory, entries }
}

it("is asked again for a text that it has not seen, and never twice for the same", async () => {
  const { directory, entries } = await emptyCache()
  const first = createStripCache(directory)(ENUM, "file:///a.ts")
  const [entry = ""] = await entries()
  const changed = (await readFile(entry, "utf8")).replace("Red", "Blue")
  await writeFile(entry, changed)

  const again = createStripCache(directory)

  expect(first.code).toContain("Red")
  expect(again(ENUM, "file:///b.ts")).toEqual(JSON.parse(changed))
  expect(again(ENUM, "file:///b.ts").map).toBe(first.map)
  expect(again(`${ENUM}\n`, "file:///a.ts").code).toContain("Red")
  expect(await entries()).toHaveLength(2)
})

it("does without entries that are broken, and without a directory that cannot be written to", async () => {
  const { directory, entries } = await emptyCache()
  const strip = createStripCache(directory)
  const whole = strip(ENUM, "file:///a.ts")
  const [entry = ""] = await entries()
  for (const broken of ['{"code": "expor', "null", "{}"]) {
    await writeFile(entry, broken)
    expect(strip(ENUM, "file:///a.ts")).toEqual(whole)
  }
  await chmod(directory, 0o500)
  onTestFinished(() => chmod(directory, 0o700))
  expect(strip("let a: 1 = 1", "file:///a.ts").code).toBe("let a    = 1")
  expect(createStripCache(join(entry, "below"))("let a: 1 = 1", "file:///a.ts").code).toBe("let a    = 1")
  expect(() => strip("let a: = 1", "file:///a.ts")).toThrow(/Expected|expected/)
})

it("removes what is old when it keeps something new", async () => {
  const { directory, entries } = await emptyCache()
  const strip = createStripCache(directory)
  strip(ENUM, "file:///a.ts")
  const [entry = ""] = await entries()
  const old = new Date(Date.now() - 31 * 24 * 3_600_000)
  await utimes(entry, old, old)
  strip("let a: 1 = 1", "file:///a.ts")
  expect(await entries()).toEqual([expect.not.stringContaining(entry)])
})

it("is used for the modules of plugins", async () => {
  const { directory, entries } = await emptyCache()
  const files = await testFiles({ "a.ts": ENUM, "b/a.ts": ENUM })
  const load = async (name: string) => {
    const modules = createModules({ cache: directory })
    onTestFinished(() => modules.close())
    return await modules.import(files.path(name), { deadline: 60_000 })
  }
  await load("a.ts")
  const [entry = ""] = await entries()
  await writeFile(entry, (await readFile(entry, "utf8")).replaceAll("Red", "Blue"))

  expect(await load("b/a.ts")).toMatchObject({ exports: { Colour: { Blue: 1 } } })
})

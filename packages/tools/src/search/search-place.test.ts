import { join } from "node:path"
import { readdir, readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { testPlace } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { withSearchTarget, type SearchTarget } from "./search-place.ts"

const at = <Result>(target: string, work: (place: SearchTarget) => Promise<Result>) =>
  withSearchTarget({ path: target, shown: target, target, title: target }, testPlace(target), work)

it("leaves out what is no part of a disk where everything is searched", async () => {
  const exclusions = async (target: string) => at(target, async (place) => place.exclusions)
  expect(await exclusions("/")).toEqual(["--glob=!/proc", "--glob=!/sys", "--glob=!/dev"])
  expect(await exclusions(await testDirectory())).toEqual([])
})

it("searches a directory from inside, and a file as input, so that no name is taken for an option", async () => {
  const directory = await testDirectory({ "-rf": "12345" })
  await at(directory, async ({ cwd, start, input }) => {
    expect({ start, input, names: await readdir(cwd) }).toEqual({ start: "./", input: undefined, names: ["-rf"] })
  })
  await at(join(directory, "-rf"), async ({ cwd, start, input, isDirectory, size }) => {
    expect({ start, isDirectory, size, names: await readdir(cwd) }).toEqual({
      ...{ start: "-", isDirectory: false, size: 5, names: ["-rf"] },
    })
    if (process.platform === "linux") expect(await readFile(`/proc/self/fd/${input}`, "utf8")).toBe("12345")
  })
})

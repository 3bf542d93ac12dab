import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { searchPlace } from "./search-place.ts"

const at = (target: string) => searchPlace({ path: target, shown: target, target, title: target })

it("leaves out what is no part of a disk where everything is searched", async () => {
  expect(await at("/")).toMatchObject({ cwd: "/", exclusions: ["--glob=!/proc", "--glob=!/sys", "--glob=!/dev"] })
  expect(await at(await testDirectory())).toMatchObject({ exclusions: [] })
})

it("searches a file from its directory, under a name that is no option", async () => {
  const directory = await testDirectory({ "-rf": "12345" })
  expect(await at(join(directory, "-rf"))).toMatchObject({
    cwd: directory,
    start: "./-rf",
    isDirectory: false,
    size: 5,
  })
})

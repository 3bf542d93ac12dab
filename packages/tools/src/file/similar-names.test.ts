import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { similarNames } from "./similar-names.ts"

it("suggests what is close, the closest first, at most three", async () => {
  const directory = await testDirectory({
    "config.ts": "",
    "config.json": "",
    "confg.ts": "",
    "configs.ts": "",
    "zebra.md": "",
  })
  const found = await similarNames(join(directory, "confi.ts"))
  expect(found).toHaveLength(3)
  expect(found[0]).toBe("config.ts")
  expect(found).not.toContain("zebra.md")
})

it("knows a name whatever the form of its accents and the case", async () => {
  const directory = await testDirectory({ ["Cafe\u0301.txt"]: "" })
  expect(await similarNames(join(directory, "caf\u00e9.txt"))).toEqual(["Cafe\u0301.txt"])
})

it("has nothing to say of a directory that is missing", async () => {
  expect(await similarNames("/nowhere/at/all.txt")).toEqual([])
})

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../test/temporary-directory.ts"
import { loadPackage } from "./package-entry.ts"

it.each([
  ["throws what is no error", "throw { toString: 1 }", "cannot be loaded: object"],
  ["never ends", "await new Promise(() => {})", "cannot be loaded: it takes longer than 0.1 s."],
  ["makes nothing", "export const create = 1, createX = 1", "has no function create…"],
])("names a package whose code %s", async (_what, code, says) => {
  const file = join(await temporaryDirectory(), "odd.mjs")
  await writeFile(file, code)

  await expect(loadPackage({ npm: "odd", id: "acme", file }, 100)).rejects.toThrow(
    `The package odd of provider "acme" ${says}`,
  )
})

import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { findPackage } from "./storage-package.ts"
import { openThirdParty } from "./third-party.ts"

async function installed(manifest: object, file = "index.js", text = ""): Promise<string> {
  const directory = await temporaryDirectory()
  const folder = join(directory, "node_modules/store")
  await mkdir(join(folder, "lib"), { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "store", type: "module", ...manifest }))
  await writeFile(join(folder, file), text)
  return directory
}

const open = (directory: string, url = "npm:store#it") =>
  openThirdParty({ url, source: "PAWL_STORAGE", packageDirectories: [directory] })

describe("a package", () => {
  it.each([
    [{}, "index.js"],
    [{ main: "lib/a.js" }, "lib/a.js"],
    [{ exports: "./lib/a.js", main: "no.js" }, "lib/a.js"],
    [{ exports: { ".": "./lib/a.js", "./more": "./no.js" } }, "lib/a.js"],
    [{ exports: { require: "./no.cjs", import: "./lib/a.js" } }, "lib/a.js"],
    [{ exports: { ".": { types: "./no.d.ts", node: { import: "./lib/a.js" }, default: "./no.js" } } }, "lib/a.js"],
    [{ exports: [{ browser: "./no.js" }, "./lib/a.js"] }, "lib/a.js"],
  ])("that says %j is entered at %s", async (manifest, entry) => {
    const directory = await installed(manifest)

    expect(await findPackage("store", [join(directory, "deep/er")])).toBe(join(directory, "node_modules/store", entry))
  })

  it("is taken from the first place that has it", async () => {
    const [first, second] = [await installed({}), await installed({})]

    expect(await findPackage("store", ["/nowhere", first, second])).toBe(join(first, "node_modules/store/index.js"))
    expect(await findPackage("store", ["/nowhere"])).toBeUndefined()
  })
})

describe("a third party's storage", () => {
  it("gets what stands behind the package's name", async () => {
    const directory = await installed(
      {},
      "index.js",
      'export const openStorage = (url) => { throw new Error("got " + url) }',
    )

    await expect(open(directory, "npm:store#redis://a#b?c")).rejects.toThrow("got redis://a#b?c")
    await expect(open(directory, "npm:store")).rejects.toThrow("got ")
  })

  it.each([
    ["", 'The package "store" has no function openStorage: it is not a storage for pawl.'],
    ["export const openStorage = 1", "has no function openStorage"],
    [
      "export const openStorage = async () => undefined",
      "is not a storage for this version of pawl: location, commit, ",
    ],
    [
      "export const openStorage = async () => ({ location: 'x', blobs: {}, commit() {} })",
      "is not a storage for this version of pawl: getSession, ",
    ],
    ["throw new Error('broken')", 'The package "store" could not be loaded from '],
  ])("that is %j is refused", async (text, says) => {
    await expect(open(await installed({}, "index.js", text))).rejects.toThrow(says)
  })

  it("that is not installed is refused with what to type", async () => {
    const directory = await temporaryDirectory()

    await expect(open(directory, "npm:@acme/store#x")).rejects.toMatchObject({
      message: 'The package "@acme/store", which PAWL_STORAGE wants to store sessions, is not installed.',
      hint: `npm install --prefix ${directory} @acme/store`,
    })
  })
})

import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { ToolInputError } from "@pawl/core/tool"
import { expect, it } from "vitest"
import { testPlace } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { createOnce } from "./once.ts"
import { isWithin, realTarget, relativeName, resolvePath, systemPath } from "./paths.ts"

it("resolves against the directory and takes ~ for a name", () => {
  const place = testPlace("/srv/app")
  expect(resolvePath("src/../a.ts", place)).toBe("/srv/app/a.ts")
  expect(resolvePath("/etc/hosts", place)).toBe("/etc/hosts")
  expect(resolvePath("~/a.ts", place)).toBe("/srv/app/~/a.ts")
})

it("refuses a NUL character", () => {
  expect(() => resolvePath("a\0.txt", testPlace("/srv"))).toThrow(ToolInputError)
})

it("follows links of the nearest existing parent", async () => {
  const directory = await testDirectory({ "real/file.txt": "" })
  await symlink("real", join(directory, "link"))
  expect(await realTarget(join(directory, "link/file.txt"))).toBe(join(directory, "real/file.txt"))
  expect(await realTarget(join(directory, "link/new/deeper.txt"))).toBe(join(directory, "real/new/deeper.txt"))
})

it("follows a dangling link to where a write would go", async () => {
  const directory = await testDirectory()
  await mkdir(join(directory, "inside"))
  await symlink("../outside/new.txt", join(directory, "inside/link"))
  expect(await realTarget(join(directory, "inside/link"))).toBe(join(directory, "outside/new.txt"))
})

it("gives up on dangling links that lead to each other, also where what was found is remembered", async () => {
  const directory = await testDirectory()
  await symlink("none/../b", join(directory, "a"))
  await symlink("none/../a", join(directory, "b"))
  const once = createOnce()
  const both = ["a", "b"].map((name) => realTarget(join(directory, name), once))
  for (const found of both) await expect(found).rejects.toThrow("too many symbolic links")
})

it("gives up on links that lead in a circle", async () => {
  const directory = await testDirectory()
  await symlink("b", join(directory, "a"))
  await symlink("a", join(directory, "b"))
  await expect(realTarget(join(directory, "a"))).rejects.toThrow(/ELOOP|too many symbolic links/)
})

it("follows a command's path as the system does", async () => {
  const [directory, outside] = [await testDirectory({ "a/b.txt": "" }), await testDirectory({ "home/x.txt": "" })]
  await symlink(join(outside, "home"), join(directory, "away"))
  expect(await systemPath(directory, "away/../new.txt")).toBe(join(outside, "new.txt"))
  expect(await systemPath(directory, "away/..")).toBe(outside)
  expect(await systemPath(join(directory, "away"), "../new.txt")).toBe(join(outside, "new.txt"))
  expect(await systemPath(directory, "a/../a/b.txt")).toBe(join(directory, "a/b.txt"))
  expect(await systemPath(directory, "no/such/../x.txt")).toBe(join(directory, "no/x.txt"))
  expect(await systemPath(directory, "away")).toBe(join(directory, "away"))
  expect(await systemPath(directory, "/etc/../etc/hosts")).toBe("/etc/hosts")
  expect(await systemPath(directory, ".")).toBe(directory)
})

it("refuses half a character", () => {
  expect(() => resolvePath("a\ud800", testPlace("/srv"))).toThrow(ToolInputError)
})

it.each([
  ["/a", "/a", true],
  ["/a", "/a/b", true],
  ["/a", "/a/..b", true],
  ["/a", "/ab", false],
  ["/a/b", "/a", false],
  ["/", "/a", true],
])("isWithin(%s, %s) is %s", (directory, path, expected) => {
  expect(isWithin(directory, path)).toBe(expected)
})

it("names paths relative to the root", () => {
  expect(relativeName("/w", "/w/src/a.ts")).toBe("src/a.ts")
  expect(relativeName("/w", "/w")).toBe(".")
  expect(relativeName("/w", "/x/a.ts")).toBe("../x/a.ts")
})

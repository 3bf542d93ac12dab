import { mkdir, readdir, readFile, realpath, rename, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { MovedDirectoryError } from "@pawl/held-directory"
import { temporaryDirectory } from "../test/temporary-directory.ts"
import { makeFile, replaceFile } from "./held-file.ts"

async function place() {
  const directory = await realpath(await temporaryDirectory())
  for (const name of ["project", "outside"]) await mkdir(join(directory, name))
  return { project: join(directory, "project"), outside: join(directory, "outside") }
}

it("makes a file with the directories above it, and none in the place of another", async () => {
  const { project } = await place()
  await makeFile(join(project, "a/b/c.txt"), "one")
  await expect(makeFile(join(project, "a/b/c.txt"), "two")).rejects.toMatchObject({ code: "EEXIST" })
  await replaceFile(join(project, "a/b/c.txt"), "three", 0o600)
  expect(await readFile(join(project, "a/b/c.txt"), "utf8")).toBe("three")
  expect(await readdir(join(project, "a/b"))).toEqual(["c.txt"])
})

it("writes nothing through a link that a directory has become", async () => {
  const { project, outside } = await place()
  await writeFile(join(project, "a.txt"), "one")
  await rename(project, `${project}.moved`)
  await symlink(outside, project)
  await expect(replaceFile(join(project, "a.txt"), "two", 0o600)).rejects.toThrow(MovedDirectoryError)
  await expect(makeFile(join(project, "sub/b.txt"), "two")).rejects.toThrow(MovedDirectoryError)
  expect(await readdir(outside)).toEqual([])
})

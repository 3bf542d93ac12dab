import { mkdir, readdir, readFile, symlink } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"

it("writes an agent into the project, and leaves one that is there alone", async () => {
  const { pawl, project } = await desk()
  expect(await pawl("agent", "create", "tester")).toMatchObject({ code: 0, stdout: ".pawl/agent/tester.md\n" })
  expect(await readFile(join(project, ".pawl/agent/tester.md"), "utf8")).toContain("You are tester.")
  expect(await pawl("agent", "create", "tester")).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('Agent "tester" already exists') },
  })
})

it.each([".pawl", ".pawl/agent"])("writes nothing where %s is a link out of the project", async (name) => {
  const { pawl, project, data } = await desk()
  const outside = join(data, "outside")
  await mkdir(outside, { recursive: true })
  if (name !== ".pawl") await mkdir(join(project, ".pawl"))
  await symlink(outside, join(project, name))
  const refused = await pawl("agent", "create", "tester")
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("leads out of the project") })
  expect(await readdir(outside)).toEqual([])
})

it("follows a link within the project", async () => {
  const { pawl, project } = await desk()
  await mkdir(join(project, "shared"))
  await symlink("shared", join(project, ".pawl"))
  expect((await pawl("agent", "create", "tester")).code).toBe(0)
  expect(await readdir(join(project, "shared/agent"))).toEqual(["tester.md"])
})

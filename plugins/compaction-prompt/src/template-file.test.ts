import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readTemplate } from "./template-file.ts"

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-template-"))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe("a template file", () => {
  it("is read as it is now, without the white space around it", async () => {
    await writeFile(join(directory, "a.md"), "\uFEFF One.\n")
    expect(await readTemplate("a.md", directory)).toEqual({ type: "read", text: "One." })
    await writeFile(join(directory, "a.md"), "Two.")
    expect(await readTemplate("a.md", directory)).toEqual({ type: "read", text: "Two." })
  })

  it.each(["none.md", "empty.md", "empty.md/below"])("is absent: %s", async (file) => {
    await writeFile(join(directory, "empty.md"), " \n")
    expect(await readTemplate(file, directory)).toEqual({ type: "absent" })
  })

  it("may have 64 KB and no byte more", async () => {
    await writeFile(join(directory, "most.md"), "x".repeat(64 * 1024))
    await writeFile(join(directory, "more.md"), "x".repeat(64 * 1024 + 1))
    expect(await readTemplate("most.md", directory)).toMatchObject({ type: "read" })
    expect(await readTemplate("more.md", directory)).toMatchObject({
      type: "failed",
      notice: expect.stringContaining("it is larger than 64 KB") as string,
    })
  })

  it("is no directory, and no device", async () => {
    await mkdir(join(directory, "folder.md"))
    for (const file of ["folder.md", "/dev/null"]) {
      expect(await readTemplate(file, directory)).toMatchObject({
        type: "failed",
        notice: expect.stringContaining("it is not a regular file") as string,
      })
    }
  })

  it("lies in the project, links included, unless its path is absolute", async () => {
    const project = join(directory, "project")
    await mkdir(project)
    await writeFile(join(directory, "outside.md"), "Secret.")
    await symlink(join(directory, "outside.md"), join(project, "link.md"))
    for (const file of ["../outside.md", "link.md"]) {
      expect(await readTemplate(file, project)).toMatchObject({
        type: "failed",
        notice: expect.stringContaining("it leads out of the project") as string,
      })
    }
    expect(await readTemplate(join(directory, "outside.md"), project)).toMatchObject({ type: "read" })
  })
})

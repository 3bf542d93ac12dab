import { constants, readdirSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { canHoldByDescriptor } from "./by-descriptor.ts"
import { holdDirectory, MovedDirectoryError } from "./index.ts"

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/** A directory `d` with a file, and one outside that a link can lead to. */
async function scene() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pawl-held-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const [directory, outside] = [join(root, "d"), join(root, "outside")]
  for (const path of [directory, outside]) {
    await mkdir(path)
    await writeFile(join(path, "a.txt"), path)
  }
  const swap = async () => {
    await rename(directory, join(root, "moved"))
    await symlink(outside, directory)
  }
  return { root, directory, outside, swap }
}

const kinds = [...(canHoldByDescriptor() ? [{ byDescriptor: true }] : []), { byDescriptor: false }]

describe.each(kinds)("%j", (options) => {
  it("reads, writes, renames and removes names in the directory", async () => {
    const { directory } = await scene()
    using held = holdDirectory(directory, options)
    const file = await held.open("b.txt", NEW, 0o600)
    await file.writeFile("new")
    await file.close()
    held.rename("b.txt", "c.txt")
    expect(await readFile(held.at("c.txt"), "utf8")).toBe("new")
    expect(held.stat("c.txt")?.size).toBe(3)
    held.unlink("a.txt")
    expect(held.stat("a.txt")).toBeUndefined()
    expect(await readdir(held.at("."))).toEqual(["c.txt"])
    held.assertInPlace()
  })

  it("reaches nothing outside once a link has taken its place", async () => {
    const { directory, outside, swap, root } = await scene()
    using held = holdDirectory(directory, options)
    await swap()
    expect(() => held.assertInPlace()).toThrow(new MovedDirectoryError(directory).message)
    const tries = [
      () => held.open("b.txt", NEW).then((file) => file.close()),
      async () => expect(await readFile(held.at("a.txt"), "utf8")).toBe(directory),
      async () => held.rename("a.txt", "c.txt"),
      async () => held.unlink("c.txt"),
    ]
    for (const attempt of tries) {
      if (options.byDescriptor) await attempt()
      else await expect(attempt()).rejects.toThrow(MovedDirectoryError)
    }
    expect(await readdir(outside)).toEqual(["a.txt"])
    expect(await readFile(join(outside, "a.txt"), "utf8")).toBe(outside)
    expect(await readdir(join(root, "moved"))).toEqual([options.byDescriptor ? "b.txt" : "a.txt"])
  })

  it("is not had through a link, and makes nothing behind one", async () => {
    const { root, outside } = await scene()
    await symlink(outside, join(root, "link"))
    for (const name of ["link", "link/x", "link/x/y"]) {
      expect(() => holdDirectory(join(root, name), { ...options, make: true })).toThrow(MovedDirectoryError)
    }
    expect(() => holdDirectory(join(root, "link"), options)).toThrow(`${join(root, "link")} leads to ${outside}`)
    expect(await readdir(outside)).toEqual(["a.txt"])
  })

  it("makes what is missing if told to", async () => {
    const { directory } = await scene()
    expect(() => holdDirectory(join(directory, "x/y"), options)).toThrow("ENOENT")
    using held = holdDirectory(join(directory, "x/y"), { ...options, make: true })
    await writeFile(held.at("z"), "")
    expect(await readdir(join(directory, "x/y"))).toEqual(["z"])
  })

  it("does not open a link that a name is", async () => {
    const { directory, outside } = await scene()
    await symlink(join(outside, "a.txt"), join(directory, "link"))
    using held = holdDirectory(directory, options)
    await expect(held.open("link", constants.O_RDONLY)).rejects.toThrow(
      `ELOOP: too many symbolic links encountered, open '${directory}/link'`,
    )
    expect(held.stat("link")?.isSymbolicLink()).toBe(true)
  })

  it("names the real path in errors", async () => {
    const { directory } = await scene()
    using held = holdDirectory(directory, options)
    const named = (name: string, more: object = {}) =>
      expect.objectContaining({ code: "ENOENT", path: join(directory, name), ...more })
    await expect(held.open("none", constants.O_RDONLY)).rejects.toThrow(`open '${directory}/none'`)
    expect(() => held.unlink("none")).toThrow(named("none"))
    expect(() => held.rename("none", "other")).toThrow(named("none", { dest: join(directory, "other") }))
    expect(() => holdDirectory(join(directory, "a.txt"), options)).toThrow(
      expect.objectContaining({ code: "ENOTDIR", path: join(directory, "a.txt") }),
    )
  })
})

it.runIf(canHoldByDescriptor())("leaves no descriptor open", async () => {
  const { directory, root, outside } = await scene()
  await symlink(outside, join(root, "link"))
  const before = readdirSync("/proc/self/fd").length
  for (const name of ["d", "d/none/x", "d/a.txt/x", "link/x"]) {
    try {
      const held = holdDirectory(join(root, name))
      held.close()
      held.close()
    } catch {
      // Only what is left open matters.
    }
  }
  expect(directory).toBeTruthy()
  expect(readdirSync("/proc/self/fd").length).toBe(before)
})

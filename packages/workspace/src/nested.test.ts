import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { nestedInstructions } from "./nested.ts"

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-nested-")))
})
afterEach(() => rm(root, { recursive: true }))

async function write(path: string, text: string): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}
/** The files that coming to `path` brings in, relative to the root. The session works in `app`. */
async function nested(path: string, loaded = new Set<string>(), worktree = "app"): Promise<string[]> {
  const place = { directory: join(root, "app"), worktree: join(root, worktree), path: join(root, path), loaded }
  const files = await nestedInstructions(place)
  return files.map((file) => file.path.slice(root.length + 1))
}

describe("nested instructions", () => {
  it("are those between the session's directory and the file, outermost first", async () => {
    for (const path of ["", "app/", "app/src/", "app/src/ui/deep/", "app/src/ui/deep/er/", "app/test/"]) {
      await write(`${path}AGENTS.md`, `Of ${path}.`)
    }

    expect(await nested("app/src/ui/deep/button.ts")).toEqual(["app/src/AGENTS.md", "app/src/ui/deep/AGENTS.md"])
  })

  it("have the file's path and text", async () => {
    const path = await write("app/src/AGENTS.md", "\nUse tabs.\n")
    const place = { directory: join(root, "app"), worktree: join(root, "app"), loaded: new Set<string>() }

    expect(await nestedInstructions({ ...place, path: "src/a.ts" })).toEqual([{ path, text: "Use tabs." }])
  })

  it("count a directory that the agent has come to itself, and the one of a file that is gone", async () => {
    await write("app/src/AGENTS.md", "Of src.")
    await write("app/lib/AGENTS.md", "Of lib.")

    expect(await nested("app/src")).toEqual(["app/src/AGENTS.md"])
    expect(await nested("app/lib/gone.ts")).toEqual(["app/lib/AGENTS.md"])
  })

  it.each(["app", "app/a.ts", "other/src/a.ts", "a.ts", "app-two/a.ts"])(
    "are none at %s, though the work tree is larger",
    async (path) => {
      for (const each of ["", "app/", "other/", "other/src/", "app-two/"]) await write(`${each}AGENTS.md`, "Text.")

      expect(await nested(path, new Set(), ".")).toEqual([])
    },
  )

  it("take of each directory the first of the three names", async () => {
    await write("app/a/AGENTS.md", "1")
    await write("app/a/CLAUDE.md", "2")
    await write("app/a/b/CLAUDE.md", "3")
    await write("app/a/b/CONTEXT.md", "4")
    await write("app/a/b/c/AGENTS.md", " ")
    await write("app/a/b/c/CONTEXT.md", "5")

    expect(await nested("app/a/b/c/d.ts")).toEqual(["app/a/AGENTS.md", "app/a/b/CLAUDE.md", "app/a/b/c/CONTEXT.md"])
  })

  it("are given once", async () => {
    await write("app/a/AGENTS.md", "1")
    await write("app/a/CLAUDE.md", "2")
    await write("app/a/b/AGENTS.md", "3")
    const loaded = new Set<string>()

    expect(await nested("app/a/x.ts", loaded)).toEqual(["app/a/AGENTS.md"])
    expect(await nested("app/a/b/x.ts", loaded)).toEqual(["app/a/b/AGENTS.md"])
    expect(await nested("app/a/b/y.ts", loaded)).toEqual([])
    expect(loaded).toEqual(new Set([join(root, "app/a/AGENTS.md"), join(root, "app/a/b/AGENTS.md")]))
  })

  it("are given once to calls side by side", async () => {
    await write("app/a/AGENTS.md", "1")
    const loaded = new Set<string>()

    const given = await Promise.all(["x.ts", "y.ts", "z.ts"].map((file) => nested(`app/a/${file}`, loaded)))

    expect(given.flat()).toEqual(["app/a/AGENTS.md"])
  })

  it("are given once, whatever links lead to them", async () => {
    const rules = await write("app/rules.md", "Rules.")
    await mkdir(join(root, "app/a/b"), { recursive: true })
    await symlink("../rules.md", join(root, "app/a/AGENTS.md"))
    await symlink("../../rules.md", join(root, "app/a/b/CLAUDE.md"))

    expect(await nested("app/a/b/x.ts")).toEqual(["app/a/AGENTS.md"])
    expect(await nested("app/a/b/x.ts", new Set([rules]))).toEqual([])
  })

  it("leave out the file that the agent has come to", async () => {
    await write("app/a/AGENTS.md", "1")
    const loaded = new Set<string>()

    expect(await nested("app/a/AGENTS.md", loaded)).toEqual([])
    expect(await nested("app/a/x.ts", loaded)).toEqual(["app/a/AGENTS.md"])
  })

  it("leave out what a link takes from beyond the work tree", async () => {
    await write("secret/AGENTS.md", "Secret.")
    await mkdir(join(root, "app/a"), { recursive: true })
    await symlink("../../secret/AGENTS.md", join(root, "app/a/AGENTS.md"))
    await symlink("../secret", join(root, "app/linked"))

    expect(await nested("app/a/x.ts")).toEqual([])
    expect(await nested("app/linked/x.ts")).toEqual([])
  })
})

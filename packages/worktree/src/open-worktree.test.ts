import { execFileSync } from "node:child_process"
import { chmod, mkdir, readFile, rename, rm, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { expect, it } from "vitest"
import { scratch, treeOf } from "../test/scratch.ts"
import { openWorktree } from "./open-worktree.ts"
import { originsOf } from "./origin.ts"

it("makes a worktree on a branch of its own, outside of the project, and leaves index and files alone", async () => {
  const { project, dataDirectory, deps, git, write, read } = await scratch()
  await write("project/a.txt", "changed\n")
  await write("project/staged.txt", "staged\n")
  git("add", "staged.txt")
  await write("project/new.txt", "new\n")
  const [before, index] = [treeOf(git), await readFile(join(project, ".git/index"))]

  const opened = await openWorktree({ directory: join(project, "src"), name: "fix-login" }, deps)

  expect(opened).toMatchObject({
    name: "fix-login",
    branch: "pawl/fix-login",
    origin: project,
    target: "main",
    isNew: true,
  })
  expect(opened.path.startsWith(join(dataDirectory, "worktrees", "project-"))).toBe(true)
  expect(opened.directory).toBe(join(opened.path, "src"))
  expect(opened.notices).toEqual([
    `3 uncommitted changes of ${project} are not in the worktree, which begins at the last commit.`,
  ])
  expect(await readFile(join(opened.path, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n")
  expect(treeOf(git)).toBe(before)
  expect((await readFile(join(project, ".git/index"))).equals(index)).toBe(true)
  expect(await read("project/a.txt")).toBe("changed\n")
  expect((await stat(join(dataDirectory, "worktrees"))).mode & 0o077).toBe(0)
})

it("reuses a worktree by its name, and generates names that are free", async () => {
  const { project, deps } = await scratch()
  const first = await openWorktree({ directory: project, name: "one" }, deps)
  expect(await openWorktree({ directory: project, name: "one" }, deps)).toMatchObject({
    path: first.path,
    isNew: false,
  })
  const made = [
    await openWorktree({ directory: project }, deps),
    await openWorktree({ directory: project, topic: "Réview/All" }, deps),
  ]
  expect(made[0]?.name).toMatch(/^[a-z]+-[a-z]+$/)
  expect(made[1]?.name).toMatch(/^r-view-all-[a-z]+-[a-z]+$/)
})

it("makes one worktree when several processes ask for the same name at once", async () => {
  const { project, deps, git } = await scratch()
  const all = await Promise.all([1, 2, 3].map(() => openWorktree({ directory: project, name: "same" }, deps)))
  expect(all.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(git("worktree", "list").split("\n")).toHaveLength(2)
})

it("takes letters of all languages", async () => {
  const { project, deps, git } = await scratch()
  const opened = await openWorktree({ directory: project, name: "größe-修正" }, deps)
  expect(basename(opened.path)).toBe("größe-修正")
  expect(git("for-each-ref", "--format=%(refname)", "refs/heads/pawl")).toBe("refs/heads/pawl/größe-修正")
})

it("says what a directory lacks", async () => {
  const { base, deps, write } = await scratch()
  const empty = await scratch({ isEmpty: true })
  execFileSync("git", ["init", "-q", "--bare", join(base, "bare")])
  await mkdir(join(base, "plain"))
  const message = (directory: string, own = deps) => openWorktree({ directory, name: "x" }, own).then(undefined, String)
  expect(await message(join(base, "plain"))).toContain("is not in a git repository")
  expect(await message(join(base, "bare"))).toContain("is a bare repository")
  expect(await message(empty.project, empty.deps)).toContain("has no commit yet")
  await write("project/fresh/c.txt", "c\n")
  expect(await message(join(base, "project/fresh"))).toContain("The last commit has no directory fresh")
  expect(
    await message(join(base, "project"), { ...deps, environment: { ...deps.environment, PATH: "/nowhere" } }),
  ).toContain("Worktrees need git")
})

it("refuses a branch that is not its own, and one named pawl", async () => {
  const { project, deps, git } = await scratch()
  git("branch", "pawl/mine")
  await expect(openWorktree({ directory: project, name: "mine" }, deps)).rejects.toThrow(
    "The branch pawl/mine exists, and belongs to no worktree of pawl.",
  )
  git("branch", "-D", "pawl/mine")
  git("branch", "pawl")
  await expect(openWorktree({ directory: project, name: "mine" }, deps)).rejects.toThrow(
    "The branch pawl is in the way",
  )
})

it("checks a branch out again whose directory was deleted by hand, without pruning other worktrees", async () => {
  const { base, project, deps, git } = await scratch()
  git("worktree", "add", "-q", join(base, "other"))
  await rename(join(base, "other"), join(base, "unmounted"))
  const { path } = await openWorktree({ directory: project, name: "x" }, deps)
  await rm(path, { recursive: true })
  const again = await openWorktree({ directory: project, name: "x" }, deps)
  expect(again).toMatchObject({ path, isNew: false, notices: [expect.stringContaining("was missing")] })
  expect(git("worktree", "list")).toContain(join(base, "other"))
  await rm(path, { recursive: true })
  git("worktree", "prune")
  git("switch", "-q", "pawl/x")
  await expect(openWorktree({ directory: project, name: "x" }, deps)).rejects.toThrow("is checked out in")
})

it("names submodules that are not checked out", async () => {
  const { base, project, deps, git } = await scratch()
  const library = await scratch()
  git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.project, "lib")
  git("commit", "-qm", "Add a submodule")
  const { notices, path } = await openWorktree({ directory: project, name: "x" }, deps)
  expect(notices).toEqual([
    `Submodules are not checked out in it (lib). To get them: git -C '${path}' submodule update --init`,
  ])
  expect(base).toBeTruthy()
})

it("runs no hook of the repository", async () => {
  const { base, project, deps, write } = await scratch()
  await write("project/.git/hooks/post-checkout", `#!/bin/sh\ntouch '${base}/ran'\n`)
  await chmod(join(project, ".git/hooks/post-checkout"), 0o755)
  await openWorktree({ directory: project, name: "x" }, deps)
  await expect(stat(join(base, "ran"))).rejects.toThrow("ENOENT")
})

it("knows where a worktree came from, also one that was made in a worktree, and believes no other directory", async () => {
  const { project, dataDirectory, deps } = await scratch()
  const one = await openWorktree({ directory: join(project, "src"), name: "one" }, deps)
  const two = await openWorktree({ directory: one.directory, name: "two" }, deps)
  expect(await originsOf(dataDirectory, { directory: two.directory, worktree: two.path })).toEqual([
    { directory: one.directory, worktree: one.path },
    { directory: join(project, "src"), worktree: project },
  ])
  expect(await originsOf(dataDirectory, { directory: project, worktree: project })).toEqual([])
  expect(await originsOf(join(dataDirectory, "other"), { directory: one.path, worktree: one.path })).toEqual([])
})

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, parse } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { findWorktree } from "./worktree.ts"

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-worktree-")))
  await mkdir(join(root, "app/src/deep"), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

it.each(["app", "app/src", "app/src/deep"])("finds the root from %s", async (directory) => {
  await mkdir(join(root, "app/.git"))
  expect(await findWorktree(join(root, directory))).toBe(join(root, "app"))
})

it("takes the nearest of two", async () => {
  await mkdir(join(root, ".git"))
  await mkdir(join(root, "app/src/.git"))
  expect(await findWorktree(join(root, "app/src/deep"))).toBe(join(root, "app/src"))
  expect(await findWorktree(join(root, "app"))).toBe(root)
})

it("knows a linked work tree by its file", async () => {
  await writeFile(join(root, "app/.git"), "gitdir: /elsewhere/.git/worktrees/app\n")
  expect(await findWorktree(join(root, "app/src"))).toBe(join(root, "app"))
})

it("finds the root from a directory that is not there yet", async () => {
  await mkdir(join(root, "app/.git"))
  expect(await findWorktree(join(root, "app/new/deep"))).toBe(join(root, "app"))
})

it("ends at the root of the file system", async () => {
  expect(await findWorktree(join(parse(root).root, "pawl-nowhere", "src"))).toBeUndefined()
})

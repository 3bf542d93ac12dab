import { execFileSync } from "node:child_process"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { noHold, scratch, treeOf } from "../test/scratch.ts"
import { diffWorktree } from "./diff-worktree.ts"
import { listWorktrees } from "./list-worktrees.ts"
import { mergeWorktree } from "./merge-worktree.ts"
import { openWorktree } from "./open-worktree.ts"
import { removeWorktree } from "./remove-worktree.ts"

async function worked() {
  const place = await scratch()
  const { project: directory, deps, write, git } = place
  const { path } = await openWorktree({ directory, name: "x" }, deps)
  const inWorktree = (...args: readonly string[]) => git("-C", path, ...args)
  await writeFile(join(path, "a.txt"), "1\ntwo\nthree\n")
  await writeFile(join(path, "new.txt"), "new\n")
  const merge = (options: object = {}) => mergeWorktree({ directory, name: "x", hold: noHold, ...options }, deps)
  const remove = (isForced = false) => removeWorktree({ directory, name: "x", isForced, hold: noHold }, deps)
  /** A commit on main that changes another file. */
  const diverge = async (name = "main.txt", text = "main\n") => {
    await write(`project/${name}`, text)
    git("add", "-A")
    git("commit", "-qm", "Main")
  }
  return { ...place, directory, path, inWorktree, merge, remove, diverge }
}

it("commits uncommitted work and moves the branch forward", async () => {
  const { merge, read, git } = await worked()
  expect(await merge()).toMatchObject({
    type: "fast-forward",
    target: "main",
    committed: 2,
    summary: expect.stringContaining("2 files"),
  })
  expect(await read("project/a.txt")).toBe("1\ntwo\nthree\n")
  expect(git("log", "--format=%s")).toBe("Work of pawl in worktree x\nBegin")
  expect(git("status", "--porcelain")).toBe("")
  expect(await merge()).toMatchObject({ type: "current", committed: 0 })
})

it("merges branches that went apart, and keeps the user's other changes", async () => {
  const { merge, diverge, write, git, read } = await worked()
  await diverge()
  await write("project/src/b.txt", "mine\n")
  expect(await merge({ message: "Fix it" })).toMatchObject({ type: "merge" })
  expect(git("log", "-1", "--format=%s %p").split(" ")).toHaveLength(4)
  expect(git("status", "--porcelain")).toBe("M src/b.txt")
  expect([await read("project/src/b.txt"), await read("project/new.txt")]).toEqual(["mine\n", "new\n"])
})

it("merges as one commit, after which the worktree can be removed", async () => {
  const { merge, remove, diverge, inWorktree, path, git } = await worked()
  inWorktree("add", "-A")
  inWorktree("commit", "-qm", "First")
  await writeFile(join(path, "new.txt"), "newer\n")
  await diverge()
  expect(await merge({ isSquash: true })).toMatchObject({ type: "squash", committed: 1 })
  expect(git("log", "--format=%B", "-1")).toBe("Squash pawl/x\n\n* First\n* Work of pawl in worktree x")
  expect(git("log", "--format=%s")).toBe("Squash pawl/x\nMain\nBegin")
  expect(await merge({ isSquash: true })).toMatchObject({ type: "current" })
  git("reset", "-q", "--keep", "ORIG_HEAD")
  await expect(remove()).rejects.toThrow("The commits of pawl/x are not merged.")
  expect(await merge({ isSquash: true })).toMatchObject({ type: "squash" })
  expect(await remove()).toMatchObject({ isBranchKept: false })
})

it.each([{}, { isSquash: true }])("touches nothing of the user if there is a conflict: %j", async (options) => {
  const { merge, diverge, write, git } = await worked()
  await diverge("a.txt", "uno\ntwo\nthree\n")
  await write("project/src/b.txt", "mine\n")
  const before = treeOf(git)
  await expect(merge(options)).rejects.toThrow("pawl/x and main change the same lines of a.txt. Nothing was merged.")
  expect(treeOf(git)).toBe(before)
})

it.each([
  ["a tracked file", "a.txt", "mine\n"],
  ["an untracked file", "new.txt", "mine\n"],
])("leaves %s alone that the user has changed", async (_, name, text) => {
  const { merge, write, git, read } = await worked()
  await write(`project/${name}`, text)
  const before = treeOf(git)
  await expect(merge()).rejects.toThrow(`Your uncommitted changes of ${name}`)
  expect(treeOf(git)).toBe(before)
  expect(await read(`project/${name}`)).toBe("mine\n")
})

it("refuses what it cannot merge, and says why", async () => {
  const { merge, git, path, inWorktree, directory, deps } = await worked()
  await expect(mergeWorktree({ directory, name: "y", hold: noHold }, deps)).rejects.toThrow('no worktree "y"')
  git("switch", "-q", "--detach")
  await expect(merge()).rejects.toThrow("No branch is checked out")
  git("switch", "-q", "main")
  inWorktree("switch", "-q", "-c", "elsewhere")
  await expect(merge()).rejects.toThrow("has the branch elsewhere checked out, not pawl/x")
  inWorktree("switch", "-q", "pawl/x")
  await mkdir(join(path, "nested"))
  execFileSync("git", ["init", "-q", join(path, "nested")])
  await writeFile(join(path, "nested/file"), "x")
  await expect(merge()).rejects.toThrow("nested/ in the worktree is a repository of its own")
  await rm(join(path, "nested"), { recursive: true })
  await writeFile(join(git("rev-parse", "--absolute-git-dir"), "MERGE_HEAD"), git("rev-parse", "HEAD"))
  await expect(merge()).rejects.toThrow("A merge is not finished in")
})

it("merges and removes nothing while a session is at work", async () => {
  const { directory, deps, git, path } = await worked()
  const before = treeOf(git)
  const hold = async (held: string) => {
    expect(held).toBe(path)
    throw new Error("at work")
  }
  await expect(mergeWorktree({ directory, name: "x", hold }, deps)).rejects.toThrow("at work")
  await expect(removeWorktree({ directory, name: "x", isForced: true, hold }, deps)).rejects.toThrow("at work")
  expect(treeOf(git)).toBe(before)
  expect(await listWorktrees(directory, deps)).toMatchObject([{ condition: "present", uncommitted: 2 }])
})

it("removes a worktree and its branch once nothing is lost by it", async () => {
  const { merge, remove, inWorktree, git, directory, deps } = await worked()
  await expect(remove()).rejects.toThrow("The worktree x has uncommitted changes: a.txt, new.txt.")
  inWorktree("add", "-A")
  inWorktree("commit", "-qm", "Work")
  await expect(remove()).rejects.toThrow("The commits of pawl/x are not merged.")
  await merge()
  expect(await remove()).toMatchObject({ isBranchKept: false })
  expect(git("branch", "--format=%(refname:short)")).toBe("main")
  expect(git("worktree", "list").split("\n")).toHaveLength(1)
  expect(await listWorktrees(directory, deps)).toEqual([])
})

it("keeps the branch of commits that are not merged, even by force", async () => {
  const { remove, inWorktree, git } = await worked()
  inWorktree("add", "-A")
  inWorktree("commit", "-qm", "Work")
  const removed = await remove(true)
  expect(removed.isBranchKept).toBe(true)
  expect(git("log", "-1", "--format=%s", "pawl/x")).toBe("Work")
})

it("does not lose a commit that no branch holds", async () => {
  const { remove, inWorktree } = await worked()
  inWorktree("switch", "-q", "--detach")
  inWorktree("add", "-A")
  inWorktree("commit", "-qm", "Loose")
  await expect(remove()).rejects.toThrow("which no branch holds")
})

it("does not lose commits of submodules", async () => {
  const { remove, inWorktree, merge, directory, deps, git, path } = await worked()
  const library = await scratch()
  inWorktree("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.project, "lib")
  await merge()
  await expect(remove()).rejects.toThrow("Submodules are checked out in the worktree x")
  expect(await removeWorktree({ directory, name: "x", isForced: true, hold: noHold }, deps)).toMatchObject({ path })
  expect(git("worktree", "list").split("\n")).toHaveLength(1)
})

it("lists and removes a worktree whose directory was deleted by hand", async () => {
  const { remove, path, directory, deps, git } = await worked()
  await rm(path, { recursive: true })
  expect(await listWorktrees(directory, deps)).toMatchObject([{ name: "x", condition: "missing", ahead: 0 }])
  expect(await remove()).toMatchObject({ isBranchKept: false })
  expect(git("worktree", "list").split("\n")).toHaveLength(1)
})

it("shows all changes of a worktree, without writing its index", async () => {
  const { inWorktree, path, directory, deps, diverge } = await worked()
  inWorktree("add", "a.txt")
  inWorktree("commit", "-qm", "Work")
  await diverge()
  const before = treeOf(inWorktree)
  const diff = await diffWorktree({ directory, name: "x" }, deps)
  expect(diff).toContain("-one\n+1\n")
  expect(diff).toContain("+++ b/new.txt")
  expect(diff).not.toContain("main.txt")
  expect(treeOf(inWorktree)).toBe(before)
  await rm(path, { recursive: true })
  expect(await diffWorktree({ directory, name: "x", options: ["--stat"] }, deps)).toContain("1 file changed")
})

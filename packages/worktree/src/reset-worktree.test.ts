import { execFileSync } from "node:child_process"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { noHold, scratch, treeOf } from "../test/scratch.ts"
import { mergeWorktree } from "./merge-worktree.ts"
import { openWorktree } from "./open-worktree.ts"
import { readRecord } from "./origin.ts"
import { removeWorktree } from "./remove-worktree.ts"
import { resetWorktree } from "./reset-worktree.ts"
import { worktreeNameAt, worktreePaths } from "./worktree-paths.ts"

async function opened() {
  const place = await scratch()
  const { project: directory, deps, git, write } = place
  const { path, base } = await openWorktree({ directory, name: "x" }, deps)
  const inWorktree = (...args: readonly string[]) => git("-C", path, ...args)
  const reset = () => resetWorktree({ directory, name: "x", hold: noHold }, deps)
  const remove = () => removeWorktree({ directory, name: "x", hold: noHold }, deps)
  /** Commits a file in the worktree. */
  const commit = async (file = "work.txt") => {
    await writeFile(join(path, file), "work\n")
    inWorktree("add", "-A")
    inWorktree("commit", "-qm", "Work")
    return inWorktree("rev-parse", "HEAD")
  }
  /** Commits a file in the original directory. */
  const advance = async (file = "main.txt") => {
    await write(`project/${file}`, "main\n")
    git("add", "-A")
    git("commit", "-qm", "Main")
    return git("rev-parse", "HEAD")
  }
  return { ...place, directory, path, base, inWorktree, reset, remove, commit, advance }
}

it("lets a worktree begin again at the commit of the original directory, whose files it leaves alone", async () => {
  const { git, path, inWorktree, reset, advance, write } = await opened()
  const commit = await advance()
  await write("project/a.txt", "changed\n")
  const before = treeOf(git)

  expect(await reset()).toEqual({ name: "x", branch: "pawl/x", path, base: commit })

  expect(inWorktree("symbolic-ref", "--short", "HEAD")).toBe("pawl/x")
  expect(inWorktree("rev-parse", "HEAD")).toBe(commit)
  expect(inWorktree("status", "--porcelain")).toBe("")
  expect(await readFile(join(path, "main.txt"), "utf8")).toBe("main\n")
  expect(treeOf(git)).toBe(before)
})

it("resets what was merged, also as one commit, and can be merged and reset again", async () => {
  const { git, directory, deps, path, reset, remove, commit } = await opened()
  const merge = (isSquash: boolean) => mergeWorktree({ directory, name: "x", isSquash, hold: noHold }, deps)
  for (const isSquash of [true, false]) {
    await commit(`${isSquash}.txt`)
    await merge(isSquash)
    const { base } = await reset()
    expect(base).toBe(git("rev-parse", "HEAD"))
    expect(await readRecord(path)).toMatchObject({ base })
    expect(await readRecord(path)).not.toHaveProperty("squashed")
  }
  expect(await remove()).toMatchObject({ isBranchKept: false })
})

it("refuses to lose uncommitted changes and commits that are not merged", async () => {
  const { path, inWorktree, reset, commit, base } = await opened()
  await writeFile(join(path, "new.txt"), "new\n")
  await expect(reset()).rejects.toThrow("uncommitted changes: new.txt")
  const tip = await commit()
  await expect(reset()).rejects.toThrow("The commits of pawl/x are not merged.")
  inWorktree("checkout", "-q", "--detach")
  const loose = await commit("loose.txt")
  await expect(reset()).rejects.toThrow(`at the commit ${loose.slice(0, 12)}, which no branch holds`)
  expect(inWorktree("rev-parse", "HEAD", "pawl/x").split("\n")).toEqual([loose, tip])
  expect((await readRecord(path))?.base).toBe(base)
})

it("keeps a commit that is made during the reset", async () => {
  const { base, directory, deps, path, inWorktree, advance } = await opened()
  await advance()
  // A program that commits once, before git checks out.
  const [real, bin] = [execFileSync("which", ["git"], { encoding: "utf8" }).trim(), join(directory, "../bin")]
  const commit = `${real} -C ${path} commit -q --allow-empty -m Late`
  await mkdir(bin)
  await writeFile(
    join(bin, "git"),
    `#!/bin/sh\ncase " $* " in *" checkout "*) mkdir ${bin}/done 2>/dev/null && ${commit} ;; esac\nexec ${real} "$@"\n`,
    { mode: 0o755 },
  )
  const environment = { ...deps.environment, PATH: `${bin}:${process.env["PATH"]}` }
  const reset = resetWorktree({ directory, name: "x", hold: noHold }, { ...deps, environment })
  await expect(reset).rejects.toThrow("pawl/x got a new commit meanwhile.")
  expect(inWorktree("log", "-1", "--format=%s", "pawl/x")).toBe("Late")
  expect(inWorktree("symbolic-ref", "--short", "HEAD")).toBe("pawl/x")
  expect((await readRecord(path))?.base).toBe(base)
})

it("does not lose commits of submodules", async () => {
  const { inWorktree, reset } = await opened()
  await mkdir(join(inWorktree("rev-parse", "--path-format=absolute", "--git-dir"), "modules/sub"), { recursive: true })
  await expect(reset()).rejects.toThrow("Submodules are checked out in the worktree x.")
})

it("keeps ignored files, and refuses a commit that would overwrite one", async () => {
  const { git, path, inWorktree, reset, advance, write, base } = await opened()
  await write("project/.gitignore", "*.log\n")
  await advance()
  await reset()
  await writeFile(join(path, "own.log"), "mine\n")
  const kept = inWorktree("rev-parse", "HEAD")
  await write("project/own.log", "theirs\n")
  git("add", "-f", "own.log")
  await advance("more.txt")
  await expect(reset()).rejects.toThrow("own.log")
  expect(await readFile(join(path, "own.log"), "utf8")).toBe("mine\n")
  expect(inWorktree("rev-parse", "HEAD")).toBe(kept)
  expect(kept).not.toBe(base)
})

it("returns to its own branch from another one", async () => {
  const { inWorktree, reset, advance, commit } = await opened()
  inWorktree("checkout", "-qb", "other")
  const tip = await commit()
  const base = await advance()
  await reset()
  expect(inWorktree("rev-parse", "HEAD", "other").split("\n")).toEqual([base, tip])
  expect(inWorktree("symbolic-ref", "--short", "HEAD")).toBe("pawl/x")
})

it("refuses while a session is at work, and what it cannot reset", async () => {
  const { directory, deps, git, path, inWorktree, reset } = await opened()
  const hold = () => Promise.reject(new Error("busy"))
  await expect(resetWorktree({ directory, name: "x", hold }, deps)).rejects.toThrow("busy")
  await expect(resetWorktree({ directory, name: "y", hold: noHold }, deps)).rejects.toThrow("no worktree")
  inWorktree("checkout", "-q", "--detach")
  git("worktree", "add", "-q", `${path}-elsewhere`, "pawl/x")
  await expect(reset()).rejects.toThrow("The branch pawl/x is checked out in")
  git("worktree", "remove", `${path}-elsewhere`)
  git("worktree", "remove", path)
  await expect(reset()).rejects.toThrow("The directory of worktree x is missing.")
})

it("lists the paths of worktrees, and names only those of its own repository", async () => {
  const { directory, deps, git, path } = await opened()
  const link = `${directory}-link`
  await symlink(path, link)
  const second = await openWorktree({ directory: path, name: "y" }, deps)
  expect(await worktreePaths(directory, deps)).toEqual([second.path, path])
  expect(await worktreeNameAt(path, directory, deps)).toBe("x")
  expect(await worktreeNameAt(`${path}/../y/`, directory, deps)).toBe("y")
  expect(await worktreeNameAt(link, directory, deps)).toBe("x")
  for (const other of [directory, join(path, "src"), join(path, ".."), join(path, "../.records"), `${path}\0`, "/"]) {
    expect(await worktreeNameAt(other, directory, deps)).toBeUndefined()
  }
  const stranger = await scratch()
  expect(await worktreeNameAt(path, stranger.project, { ...stranger.deps, ...deps })).toBeUndefined()
  git("worktree", "remove", path)
  expect(await worktreePaths(directory, deps)).toEqual([second.path])
  expect(await worktreeNameAt(path, directory, deps)).toBe("x")
})

it("lists nothing outside of git and before the first worktree, and creates nothing", async () => {
  const { base, project, deps, dataDirectory } = await scratch()
  expect(await worktreePaths(base, deps)).toEqual([])
  expect(await worktreePaths(project, deps)).toEqual([])
  await expect(readFile(dataDirectory)).rejects.toThrow("ENOENT")
})

it("makes one worktree when several requests want a new one of the same name at once", async () => {
  const { project: directory, deps } = await scratch()
  const request = { directory, name: "same", mustBeNew: true }
  const all = await Promise.allSettled([1, 2, 3].map(() => openWorktree(request, deps)))
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  const reasons = all.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []))
  expect(reasons).toEqual(Array(2).fill(expect.stringContaining("The worktree same exists already:")))
})

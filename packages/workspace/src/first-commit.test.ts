import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it, onTestFinished } from "vitest"
import { firstCommit } from "./first-commit.ts"

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-first-commit-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  return directory
}

const environment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" },
}

async function git(directory: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", words, { cwd: directory, env: environment })
  return stdout.trim()
}

async function repository(...commits: string[]): Promise<string> {
  const directory = await temporaryDirectory()
  await git(directory, "init", "-q", "-b", "main")
  for (const message of commits) await git(directory, "commit", "-q", "--allow-empty", "-m", message)
  return directory
}

const first = (worktree: string) => firstCommit({ worktree, environment, signal: new AbortController().signal })

describe("the first commit", () => {
  it("is the same in a clone, in a linked work tree and after more commits", async () => {
    const origin = await repository("one", "two")
    const places = await temporaryDirectory()
    await git(places, "clone", "-q", origin, "clone")
    await git(origin, "worktree", "add", "-q", join(places, "tree"))
    const root = await git(origin, "rev-list", "--max-parents=0", "HEAD")
    await git(origin, "commit", "-q", "--allow-empty", "-m", "three")

    const found = await Promise.all([origin, join(places, "clone"), join(places, "tree")].map(first))

    expect(found).toEqual([root, root, root])
  })

  it("is the smallest where histories were joined", async () => {
    const directory = await repository("one")
    await git(directory, "checkout", "-q", "--orphan", "other")
    await git(directory, "commit", "-q", "--allow-empty", "-m", "another beginning")
    await git(directory, "merge", "-q", "--allow-unrelated-histories", "-m", "joined", "main")
    const roots = (await git(directory, "rev-list", "--max-parents=0", "HEAD")).split("\n")

    expect(roots).toHaveLength(2)
    expect(await first(directory)).toBe(roots.toSorted()[0])
  })

  it("is not known before there is one, in a shallow clone, and outside of git", async () => {
    const places = await temporaryDirectory()
    await git(places, "clone", "-q", "--depth=1", `file://${await repository("one", "two")}`, "shallow")

    expect(await first(await repository())).toBeUndefined()
    expect(await first(join(places, "shallow"))).toBeUndefined()
    expect(await first(places)).toBeUndefined()
  })
})

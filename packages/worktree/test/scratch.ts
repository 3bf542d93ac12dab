import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import type { WorktreeDeps } from "../src/records.ts"

const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org", GIT_CONFIG_GLOBAL: "/dev/null" },
}

export const noHold = async () => ({ [Symbol.asyncDispose]: async () => undefined })

/** A directory of the test's own, with a repository in `project` that has one commit unless `isEmpty`. */
export async function scratch({ isEmpty = false } = {}) {
  const base = await realpath(await mkdtemp(join(tmpdir(), "pawl-worktree-")))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const [project, dataDirectory] = [join(base, "project"), join(base, "data")]
  const environment = { ...process.env, ...AUTHOR }
  const git = (...args: readonly string[]) => {
    return execFileSync("git", ["-C", project, ...args], { env: environment, encoding: "utf8", stdio: "pipe" }).trim()
  }
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(base, path)), { recursive: true })
    await writeFile(join(base, path), text)
  }
  const read = (path: string) => readFile(join(base, path), "utf8")
  await mkdir(project)
  git("init", "-q", "-b", "main")
  if (!isEmpty) {
    await write("project/a.txt", "one\ntwo\nthree\n")
    await write("project/src/b.txt", "b\n")
    git("add", "-A")
    git("commit", "-qm", "Begin")
  }
  const deps: WorktreeDeps = { dataDirectory, environment }
  return { base, project, dataDirectory, environment, git, write, read, deps }
}

/** Everything that git and the user see of a worktree: files, index, branch. */
export function treeOf(git: (...args: readonly string[]) => string): string {
  return [
    git("status", "--porcelain", "--branch", "-uall"),
    git("diff"),
    git("diff", "--cached"),
    git("ls-files", "-s"),
  ].join("\n")
}

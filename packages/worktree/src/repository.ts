import { realpath } from "node:fs/promises"
import { UsageError } from "@pawl/config/usage-error"
import { type GitContext, gitEnd, readGit, records } from "./git.ts"

/** The repository of a directory, and the worktree that holds the directory. */
export interface Repository {
  /** Absolute, without links: root of the worktree. */
  readonly root: string
  /** The same of the directory that all worktrees of the repository share. */
  readonly common: string
}

/** Returns the repository of a directory. Throws UsageError if the directory has none that can have worktrees. */
export async function openRepository(directory: string, context: GitContext): Promise<Repository> {
  const found = await findRepository(directory, context)
  if (found) return found
  const { code, stdout, stderr } = await gitEnd(directory, ["rev-parse", "--is-bare-repository"], context)
  if (code === 0 && stdout.toString("utf8").trim() === "true") {
    throw new UsageError(`${directory} is a bare repository.`, "Start in one of its worktrees: git worktree add <path>")
  }
  if (code === 0 || /not a git repository/.test(stderr)) {
    throw new UsageError(`${directory} is not in a git repository, so it can have no worktree.`, "Create one: git init")
  }
  throw new UsageError(`git cannot use the repository of ${directory}: ${stderr}`)
}

export async function findRepository(directory: string, context: GitContext): Promise<Repository | undefined> {
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-toplevel"]
  const [common = "", root = ""] = (await readGit(directory, args, context))?.split("\n") ?? []
  if (common === "" || root === "") return undefined
  return { root: await realpath(root), common: await realpath(common) }
}

/** Returns the commit that a name means; undefined if it does not exist. */
export function commitOf(directory: string, name: string, context: GitContext): Promise<string | undefined> {
  return readGit(directory, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`], context)
}

/** Returns the branch that is checked out, without `refs/heads/`; undefined for a detached HEAD. */
export function checkedOutBranch(directory: string, context: GitContext): Promise<string | undefined> {
  return readGit(directory, ["symbolic-ref", "--quiet", "--short", "HEAD"], context)
}

/** A worktree as git has registered it. */
export interface Registered {
  readonly path: string
  /** Without `refs/heads/`. Undefined for a detached HEAD. */
  readonly branch: string | undefined
  /** Reason of a lock; git's own reason while it creates the worktree is `initializing`. */
  readonly locked: string | undefined
}

export async function registeredWorktrees(directory: string, context: GitContext): Promise<Registered[]> {
  const output = (await readGit(directory, ["worktree", "list", "--porcelain", "-z"], context)) ?? ""
  return output.split("\0\0").flatMap((block): Registered[] => {
    const facts = new Map(records(block).map((line) => [line.split(" ")[0] ?? "", line.slice(line.indexOf(" ") + 1)]))
    const path = facts.get("worktree")
    if (path === undefined) return []
    return [{ path, branch: facts.get("branch")?.replace(/^refs\/heads\//, ""), locked: facts.get("locked") }]
  })
}

/** A path that `git status` lists. */
export interface Change {
  /** Two letters, as in `git status --porcelain`. */
  readonly state: string
  readonly path: string
}

/** Returns the changed and untracked paths of a worktree, without ignored ones. Does not write the index. */
export async function changesIn(root: string, context: GitContext): Promise<Change[]> {
  const args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=none"]
  const output = await readGit(root, args, context)
  if (output === undefined) throw new UsageError(`git cannot list the changes of ${root}.`, "See: git status")
  return records(output).map((record) => ({ state: record.slice(0, 2), path: record.slice(3) }))
}

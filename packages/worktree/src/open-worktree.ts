import { join, relative, sep } from "node:path"
import { UsageError } from "@pawl/config/usage-error"
import { isDirectory } from "./is-directory.ts"
import { git, readGit } from "./git.ts"
import { branchOf, checkedName, generatedName } from "./name.ts"
import { readRecord, type WorktreeRecord } from "./origin.ts"
import { directoryOf, inTurn, recordedWorktrees, removeRecord, type WorktreeDeps, writeRecord } from "./records.ts"
import {
  changesIn,
  checkedOutBranch,
  commitOf,
  openRepository,
  registeredWorktrees,
  type Repository,
} from "./repository.ts"

export interface WorktreeRequest {
  /** Absolute, without links. */
  readonly directory: string
  /** Default: a new worktree with a generated name. */
  readonly name?: string | undefined
  /** Subject in the generated name. */
  readonly topic?: string | undefined
  /** Set if a missing worktree is an error. */
  readonly mustExist?: boolean | undefined
  /** Set if a worktree that can be used already is an error. */
  readonly mustBeNew?: boolean | undefined
}

export interface OpenedWorktree {
  readonly name: string
  readonly branch: string
  /** Absolute, without links: root of the worktree. */
  readonly path: string
  /** The requested directory, in the worktree. */
  readonly directory: string
  readonly origin: string
  /** Branch that is checked out at `origin`; undefined for a detached HEAD. */
  readonly target: string | undefined
  /** Commit at which the worktree began. */
  readonly base: string
  /** Set if it did not exist before. */
  readonly isNew: boolean
  /** Facts for the user, as sentences. */
  readonly notices: readonly string[]
}

/** Returns a worktree of the directory's repository: the one with this name, or a new one at the current commit. */
export async function openWorktree(request: WorktreeRequest, deps: WorktreeDeps): Promise<OpenedWorktree> {
  const name = request.name === undefined ? undefined : checkedName(request.name)
  const repository = await openRepository(request.directory, deps)
  const directory = await directoryOf(repository.common, deps)
  return inTurn(directory, deps, () => open({ ...request, name }, { repository, directory, deps }))
}

interface Surroundings {
  readonly repository: Repository
  /** Directory of the repository's worktrees. */
  readonly directory: string
  readonly deps: WorktreeDeps
}

async function open(request: WorktreeRequest, around: Surroundings): Promise<OpenedWorktree> {
  const { repository, directory, deps } = around
  const { root } = repository
  const name = request.name ?? (await freeName(around, request.topic))
  const [path, branch] = [join(directory, name), branchOf(name)]
  const below = relative(root, request.directory)
  const record = await readRecord(path)
  const tip = await commitOf(root, `refs/heads/${branch}`, deps)
  const [registered, isThere] = [await findRegistered(path, around), await isDirectory(path)]
  const isUsable = isThere && registered !== undefined && registered.locked !== "initializing"
  if (record && isUsable) {
    if (request.mustBeNew) {
      throw new UsageError(`The worktree ${name} exists already: ${path}`, "Work in it, or choose another name.")
    }
    return {
      ...(await facts(record, path, around)),
      directory: await sameDirectory(path, below),
      isNew: false,
      notices: [],
    }
  }
  if (request.mustExist && !record) {
    throw new UsageError(`This repository has no worktree "${name}" of pawl.`, "List them: pawl worktree list")
  }
  if (isThere && registered?.locked !== "initializing") {
    throw new UsageError(
      `${path} exists, and is not a worktree that git knows.`,
      `If you have moved it there: git worktree repair '${path}'. Else move it away, or choose another name.`,
    )
  }
  if (registered?.locked === "initializing") await git(root, ["worktree", "remove", "-f", "-f", path], deps)
  if (tip !== undefined) {
    if (!record) throw takenBranch(branch)
    await requireFree(branch, path, around)
    await git(root, ["worktree", "add", "--force", "--quiet", path, branch], deps)
    const notices = [`The directory of worktree ${name} was missing. ${branch} is checked out in it again.`]
    return {
      ...(await facts(record, path, around)),
      directory: await sameDirectory(path, below),
      isNew: false,
      notices,
    }
  }
  return create({ name, branch, path, below }, around)
}

interface NewWorktree {
  readonly name: string
  readonly branch: string
  readonly path: string
  /** The requested directory, relative to the root. */
  readonly below: string
}

async function create({ name, branch, path, below }: NewWorktree, around: Surroundings): Promise<OpenedWorktree> {
  const { repository, deps } = around
  const { root, common } = repository
  const base = await commitOf(root, "HEAD", deps)
  if (base === undefined) {
    throw new UsageError(
      `${root} has no commit yet, and a worktree begins at a commit.`,
      'Create one: git commit --allow-empty -m "Begin"',
    )
  }
  if ((await commitOf(root, "refs/heads/pawl", deps)) !== undefined) {
    throw new UsageError(`The branch pawl is in the way of ${branch}.`, "Rename it: git branch -m pawl <new name>")
  }
  if (below !== "" && (await readGit(root, ["cat-file", "-t", `${base}:${slashed(below)}`], deps)) !== "tree") {
    throw new UsageError(
      `The last commit has no directory ${below}, so the worktree would have none.`,
      `Commit it, or start at the root: --dir '${root}'`,
    )
  }
  const record: WorktreeRecord = { version: 1, name, branch, origin: root, common, base, created: Date.now() }
  // Written first, so that a worktree that a killed process has left belongs to pawl.
  await writeRecord(path, record)
  try {
    await git(root, ["worktree", "add", "--force", "--quiet", "--no-track", "-b", branch, path, base], deps)
  } catch (error) {
    if (!(await isDirectory(path))) await removeRecord(path)
    throw error
  }
  const notices = [...(await changesLeft(root, deps)), ...(await emptySubmodules(root, path, base, deps))]
  return { ...(await facts(record, path, around)), directory: await sameDirectory(path, below), isNew: true, notices }
}

async function facts({ name, branch, origin, base }: WorktreeRecord, path: string, { deps }: Surroundings) {
  const target = (await isDirectory(origin)) ? await checkedOutBranch(origin, deps) : undefined
  return { name, branch, path, origin, base, target }
}

async function freeName({ repository, directory, deps }: Surroundings, topic: string | undefined): Promise<string> {
  const branches = await readGit(
    repository.root,
    ["for-each-ref", "--format=%(refname:strip=3)", "refs/heads/pawl/"],
    deps,
  )
  const taken = new Set(branches?.split("\n"))
  for (const { record } of await recordedWorktrees(directory)) taken.add(record.name)
  return generatedName((name) => taken.has(name), topic)
}

async function findRegistered(path: string, { repository, deps }: Surroundings) {
  return (await registeredWorktrees(repository.root, deps)).find((each) => each.path === path)
}

async function requireFree(branch: string, path: string, { repository, deps }: Surroundings): Promise<void> {
  const all = await registeredWorktrees(repository.root, deps)
  const other = all.find((each) => each.branch === branch && each.path !== path)
  if (!other) return
  throw new UsageError(`The branch ${branch} is checked out in ${other.path}.`, "Switch to another branch there.")
}

function takenBranch(branch: string): UsageError {
  return new UsageError(
    `The branch ${branch} exists, and belongs to no worktree of pawl.`,
    `Choose another name, or delete the branch if you need it no more: git branch -d ${branch}`,
  )
}

async function sameDirectory(path: string, below: string): Promise<string> {
  const directory = join(path, below)
  if (await isDirectory(directory)) return directory
  throw new UsageError(`The worktree ${path} has no directory ${below}.`, "Start at the root of your repository.")
}

/** Tells which changes of the user's directory are not in the worktree. */
async function changesLeft(root: string, deps: WorktreeDeps): Promise<string[]> {
  const { length } = await changesIn(root, deps)
  if (length === 0) return []
  const changes = length === 1 ? "1 uncommitted change" : `${length} uncommitted changes`
  return [`${changes} of ${root} ${length === 1 ? "is" : "are"} not in the worktree, which begins at the last commit.`]
}

async function emptySubmodules(root: string, path: string, base: string, deps: WorktreeDeps): Promise<string[]> {
  const args = ["config", "--null", "--blob", `${base}:.gitmodules`, "--get-regexp", String.raw`^submodule\..*\.path$`]
  const entries = (await readGit(root, args, deps))?.split("\0").filter((entry) => entry !== "") ?? []
  if (entries.length === 0) return []
  const names = entries.map((entry) => entry.slice(entry.indexOf("\n") + 1)).join(", ")
  return [`Submodules are not checked out in it (${names}). To get them: git -C '${path}' submodule update --init`]
}

/** Git writes paths with slashes on every system. */
function slashed(path: string): string {
  return path.split(sep).join("/")
}

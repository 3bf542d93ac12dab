import { stat } from "node:fs/promises"
import { UsageError } from "@pawl/config/usage-error"
import { git, gitEnd, type GitOptions, readGit, records } from "./git.ts"
import { directoryOf, inTurn, namedWorktree, type RecordedWorktree, type WorktreeDeps, writeRecord } from "./records.ts"
import { changesIn, checkedOutBranch, commitOf, openRepository } from "./repository.ts"

export interface MergeRequest {
  /** Absolute path in the repository. */
  readonly directory: string
  readonly name: string
  /** Set to merge as one commit. */
  readonly isSquash?: boolean | undefined
  /** Message of the commits that this creates. Default: one that names the worktree. */
  readonly message?: string | undefined
  /** Holds the sessions of the worktree while it is merged. Rejects if one of them is at work. */
  readonly hold: (path: string) => Promise<AsyncDisposable>
}

export interface MergeResult {
  readonly name: string
  readonly branch: string
  readonly origin: string
  /** Branch that was merged into. */
  readonly target: string
  /** `current`: there was nothing to merge. */
  readonly type: "current" | "fast-forward" | "merge" | "squash"
  /** Commit that is checked out at `origin` now. */
  readonly commit: string
  /** Number of paths whose uncommitted changes were committed first. */
  readonly committed: number
  /** git's summary of the merged changes. Empty without changes. */
  readonly summary: string
}

/**
 * Merges a worktree's branch into the branch that is checked out in the directory from which the worktree was created.
 * Uncommitted work in the worktree is committed first. The merge is computed without touching the user's files, and applied
 * only if it has no conflict and touches no file that the user has changed. Throws UsageError otherwise.
 */
export async function mergeWorktree(request: MergeRequest, deps: WorktreeDeps): Promise<MergeResult> {
  const { common } = await openRepository(request.directory, deps)
  const directory = await directoryOf(common, deps)
  return inTurn(directory, deps, async () => {
    const worktree = await namedWorktree(directory, request.name)
    await using _held = await request.hold(worktree.path)
    return merge(worktree, request, deps)
  })
}

async function merge(
  { path, record }: RecordedWorktree,
  { isSquash = false, message }: MergeRequest,
  deps: WorktreeDeps,
): Promise<MergeResult> {
  const { name, branch, origin } = record
  if (!(await exists(origin))) {
    throw new UsageError(
      `The directory ${origin}, from which worktree ${name} was created, is gone.`,
      `Merge it where you want it: git merge ${branch}`,
    )
  }
  const target = await checkedOutBranch(origin, deps)
  if (target === undefined) {
    throw new UsageError(
      `No branch is checked out in ${origin}.`,
      `Switch to the one to merge into: git -C '${origin}' switch <branch>`,
    )
  }
  if (target === branch)
    throw new UsageError(`${origin} has ${branch} itself checked out.`, "Switch to the branch to merge into.")
  await requireNoOperation(origin, deps)
  const committed = (await exists(path)) ? await commitWork({ path, record }, message, deps) : 0
  const [tip, head] = await Promise.all([
    commitOf(origin, `refs/heads/${branch}`, deps),
    commitOf(origin, `refs/heads/${target}`, deps),
  ])
  if (tip === undefined)
    throw new UsageError(`The branch ${branch} is gone.`, `Remove the worktree: pawl worktree remove ${name}`)
  if (head === undefined) throw new UsageError(`The branch ${target} has no commit.`)
  const known = { name, branch, origin, target, committed }
  const base = await readGit(origin, ["merge-base", head, tip], deps)
  if (base === tip || (await isSquashed(record, { head, tip }, deps)))
    return { ...known, type: "current", commit: head, summary: "" }
  const isForward = base === head && !isSquash
  const tree = isForward ? undefined : await mergedTree({ head, tip, branch, target, origin }, deps)
  const commit =
    tree === undefined ? tip : await commitTree({ tree, head, tip, record, target, isSquash, message }, origin, deps)
  await advance({ origin, head, commit, branch }, deps)
  if (isSquash) await writeRecord(path, { ...record, squashed: { tip, commit } })
  const summary = (await readGit(origin, ["diff", "--shortstat", head, commit, "--"], deps)) ?? ""
  const type = isSquash ? "squash" : isForward ? "fast-forward" : "merge"
  return { ...known, type, commit, summary: summary.trim() }
}

/** Returns whether the target still has the commit as which the branch was merged at its present tip. */
async function isSquashed(
  { origin, squashed }: RecordedWorktree["record"],
  { head, tip }: { readonly head: string; readonly tip: string },
  deps: WorktreeDeps,
): Promise<boolean> {
  if (squashed?.tip !== tip) return false
  return (await readGit(origin, ["merge-base", "--is-ancestor", squashed.commit, head], deps)) !== undefined
}

/** Commits the uncommitted work of a worktree, without hooks. Returns the number of changed paths. */
export async function commitWork(
  { path, record: { name, branch } }: RecordedWorktree,
  message: string | undefined,
  deps: GitOptions,
): Promise<number> {
  const changes = await changesIn(path, deps)
  const current = await checkedOutBranch(path, deps)
  if (current !== branch) {
    throw new UsageError(
      `The worktree ${path} has ${current === undefined ? "no branch" : `the branch ${current}`} checked out, not ${branch}.`,
      `Merge that yourself, or switch back: git -C '${path}' switch ${branch}`,
    )
  }
  await requireNoOperation(path, deps)
  if (changes.length === 0) return 0
  const nested = changes.find((change) => change.state === "??" && change.path.endsWith("/"))
  if (nested) {
    throw new UsageError(
      `${nested.path} in the worktree is a repository of its own, whose files a commit would not hold.`,
      `Move it out of ${path}, or let .gitignore name it.`,
    )
  }
  await git(path, ["add", "--all"], deps)
  await git(path, ["commit", "--quiet", "--no-gpg-sign", "-m", message ?? `Work of pawl in worktree ${name}`], deps)
  return changes.length
}

/** Throws UsageError if git is in the middle of a merge, a rebase or the like. */
async function requireNoOperation(root: string, deps: GitOptions): Promise<void> {
  for (const [file, operation] of OPERATIONS) {
    const path = await readGit(root, ["rev-parse", "--path-format=absolute", "--git-path", file], deps)
    if (path !== undefined && (await exists(path))) {
      throw new UsageError(
        `A ${operation} is not finished in ${root}.`,
        `Finish or abort it there: git -C '${root}' status`,
      )
    }
  }
}

const OPERATIONS = [
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
] as const

interface Sides {
  readonly head: string
  readonly tip: string
  readonly branch: string
  readonly target: string
  readonly origin: string
}

/** Returns the tree of the merge. Writes objects only, no file of the user. Throws UsageError if there are conflicts. */
async function mergedTree({ head, tip, branch, target, origin }: Sides, deps: GitOptions): Promise<string> {
  const { code, stdout, stderr } = await gitEnd(
    origin,
    ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", head, tip],
    deps,
  )
  const [tree, ...files] = records(stdout.toString("utf8"))
  if (code === 0 && tree !== undefined) return tree
  if (code === 1 && files.length > 0) {
    const shown = [
      ...files.slice(0, MAX_FILES),
      ...(files.length > MAX_FILES ? [`${files.length - MAX_FILES} more`] : []),
    ]
    throw new UsageError(
      `${branch} and ${target} change the same lines of ${shown.join(", ")}. Nothing was merged.`,
      `Resolve it in the worktree, then merge again: pawl run --worktree=${branch.slice("pawl/".length)} "merge ${target} into this branch". ` +
        `Or resolve it yourself: git merge ${branch}`,
    )
  }
  throw new UsageError(
    `git cannot merge ${branch}: ${stderr || "merge-tree failed."}`,
    `It needs git 2.38. Or: git merge ${branch}`,
  )
}

const MAX_FILES = 8

interface NewCommit {
  readonly tree: string
  readonly head: string
  readonly tip: string
  readonly record: RecordedWorktree["record"]
  readonly target: string
  readonly isSquash: boolean
  readonly message: string | undefined
}

async function commitTree(
  { tree, head, tip, record: { branch }, target, isSquash, message }: NewCommit,
  origin: string,
  deps: GitOptions,
): Promise<string> {
  const parents = isSquash ? ["-p", head] : ["-p", head, "-p", tip]
  const input =
    message ??
    (isSquash ? await squashMessage(origin, branch, [head, tip], deps) : `Merge branch '${branch}' into ${target}`)
  return git(origin, ["commit-tree", tree, ...parents, "-F", "-"], { ...deps, input })
}

/** Returns the message of the only commit, or a list of the subjects of all. */
async function squashMessage(
  origin: string,
  branch: string,
  [head, tip]: readonly [string, string],
  deps: GitOptions,
): Promise<string> {
  const output = await readGit(origin, ["log", "-z", "--reverse", "--format=%B", `${head}..${tip}`, "--"], deps)
  const messages = records(output ?? "").map((message) => message.trim())
  const [only = "", ...others] = messages
  if (others.length === 0) return only || `Squash ${branch}`
  return `Squash ${branch}\n\n${messages.map((message) => `* ${message.split("\n")[0]}`).join("\n")}\n`
}

/** Moves the user's branch and files to a commit that descends from theirs, unless that touches files they have changed. */
async function advance(
  {
    origin,
    head,
    commit,
    branch,
  }: { readonly origin: string; readonly head: string; readonly commit: string; readonly branch: string },
  deps: GitOptions,
): Promise<void> {
  const { code, stderr } = await gitEnd(origin, ["merge", "--ff-only", "--no-autostash", "--quiet", commit], {
    ...deps,
    variables: { GIT_REFLOG_ACTION: `merge ${branch}` },
  })
  if (code === 0) return
  const files = [...stderr.matchAll(/^\t(.+)$/gm)].map(([, file]) => file)
  if (files.length > 0) {
    throw new UsageError(
      `Your uncommitted changes of ${files.join(", ")} in ${origin} would be overwritten. Nothing was merged.`,
      "Commit or stash them, then merge again.",
    )
  }
  const now = await commitOf(origin, "HEAD", deps)
  if (now !== head) throw new UsageError(`${origin} changed during the merge. Nothing was merged.`, "Merge again.")
  throw new UsageError(`git cannot merge ${branch}: ${stderr || "it was ended."}`)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

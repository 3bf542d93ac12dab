import { plainLine } from "@pawl/plain-text"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { removeWorktree } from "@pawl/worktree"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { directoryOptions, formattedStorageOptions } from "../../command-options.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { MISSING_WORKTREE, withIdleSessions } from "../../worktree/worktree-deps.ts"

const worktreeRemoveOptions = {
  force: { short: "f", summary: "discard uncommitted changes; commits that are not merged stay on their branch" },
  ...directoryOptions,
  ...formattedStorageOptions,
} as const

async function worktreeRemove(
  { options, words: [name = ""] }: CommandInput<typeof worktreeRemoveOptions>,
  host: Host,
): Promise<ExitCode> {
  const { dir, force, storage, format } = options
  const directory = await workDirectory(host, dir)
  const result = await withIdleSessions(host, storage, (hold, deps) => {
    return removeWorktree({ directory, name, isForced: force, hold }, deps)
  })
  const { path, branch, tip, isBranchKept } = result
  if (format === "json") {
    host.stdout.write(`${JSON.stringify(result)}\n`)
    return exitCodes.success
  }
  const ofBranch = tip === undefined ? "" : isBranchKept ? "" : ` and the branch ${branch} (was ${tip.slice(0, 10)})`
  host.stdout.write(`${plainLine(`Removed ${path}${ofBranch}.`)}\n`)
  if (isBranchKept) {
    host.stderr.write(
      `${plainLine(`The branch ${branch} stays. To delete it and its commits: git branch -D ${branch}`)}\n`,
    )
  }
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["worktree remove [options] <name>"],
  notes: [
    "Removes a worktree, and its branch if another branch has its commits. Refuses uncommitted changes, commits that are not merged, and " +
      "worktrees in which a session works. Files that git ignores are removed with the directory.",
    "Sessions of the worktree stay stored. To continue one, create the worktree again under the same name.",
  ],
  words: { min: 1, max: 1, completes: "worktrees", missing: MISSING_WORKTREE },
  options: worktreeRemoveOptions,
  exitCodes: { 2: "not removed; the reason and the next step are on stderr" },
  examples: [
    ["pawl worktree remove fix-login", "remove it after the merge"],
    ["pawl worktree remove --force fix-login", "discard its uncommitted changes"],
  ],
  run: worktreeRemove,
})

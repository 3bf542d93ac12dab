import { plainLine } from "@pawl/plain-text"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { ago, plural } from "@pawl/terminal-text/quantity"
import { columnsOf } from "@pawl/terminal-text/width"
import { listWorktrees, type WorktreeState } from "@pawl/worktree"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { worktreeDeps } from "../../worktree/worktree-deps.ts"

const worktreeListOptions = {
  all: { short: "a", summary: "list the worktrees of all repositories" },
  ...formattedDirectoryOptions,
} as const

async function worktreeList({ options }: CommandInput<typeof worktreeListOptions>, host: Host): Promise<ExitCode> {
  const directory = options.all ? undefined : await workDirectory(host, options.dir)
  const worktrees = await listWorktrees(directory, await worktreeDeps(host))
  if (options.format === "json") {
    for (const worktree of worktrees) host.stdout.write(`${JSON.stringify(worktree)}\n`)
    return exitCodes.success
  }
  if (worktrees.length === 0) host.stderr.write('No worktrees. Create one: pawl run --worktree "<task>"\n')
  const rows = worktrees.map((each) => {
    return [each.name, stateText(each), ago(each.created, Date.now()), each.path].map(plainLine)
  })
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => columnsOf(row[column] ?? ""))))
  for (const row of rows) {
    const cells = row.map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(cell))))
    host.stdout.write(`${cells.join("  ")}\n`)
  }
  return exitCodes.success
}

/** Returns the state in a few words: `2 uncommitted, 3 commits for main`. */
function stateText({ condition, uncommitted, ahead = 0, target, isMerged }: WorktreeState): string {
  if (condition === "orphaned") return "its repository is gone"
  if (condition === "gone") return "its branch and directory are gone"
  const facts = [
    ...(condition === "missing" ? ["its directory is gone"] : []),
    ...(uncommitted > 0 ? [`${uncommitted} uncommitted`] : []),
    ...(ahead > 0 && !isMerged ? [`${plural(ahead, "commit")} for ${target}`] : []),
  ]
  if (facts.length > 0) return facts.join(", ")
  return isMerged ? "nothing to merge" : "not merged"
}

export const command = defineCommand({
  usage: ["worktree list [options]"],
  notes: ["Lists the worktrees that pawl run --worktree and subagents have created for this repository, newest first."],
  words: { min: 0, max: 0 },
  options: worktreeListOptions,
  examples: [
    ["pawl worktree list", "list the worktrees of this repository"],
    ["pawl worktree list --all --json", "list those of all repositories as JSON"],
  ],
  run: worktreeList,
})

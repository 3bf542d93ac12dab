import { plainLine } from "@pawl/plain-text"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { plural } from "@pawl/terminal-text/quantity"
import { mergeWorktree, type MergeResult } from "@pawl/worktree"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { directoryOptions, formattedStorageOptions } from "../../command-options.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { MISSING_WORKTREE, withIdleSessions } from "../../worktree/worktree-deps.ts"

const worktreeMergeOptions = {
  squash: { summary: "merge everything as one commit" },
  message: { short: "m", value: "<text>", summary: "message of the commits that this command creates" },
  ...directoryOptions,
  ...formattedStorageOptions,
} as const

async function worktreeMerge(
  { options, words: [name = ""] }: CommandInput<typeof worktreeMergeOptions>,
  host: Host,
): Promise<ExitCode> {
  const { dir, squash, message, storage, format } = options
  const directory = await workDirectory(host, dir)
  const result = await withIdleSessions(host, storage, (hold, deps) => {
    return mergeWorktree({ directory, name, isSquash: squash, message, hold }, deps)
  })
  if (format === "json") {
    host.stdout.write(`${JSON.stringify(result)}\n`)
    return exitCodes.success
  }
  for (const line of mergeLines(result)) host.stdout.write(`${plainLine(line)}\n`)
  host.stderr.write(plainLine(`To remove the worktree: ${host.program} worktree remove ${result.name}`) + "\n")
  return exitCodes.success
}

function mergeLines({ type, branch, target, commit, committed, summary }: MergeResult): string[] {
  const first = committed > 0 ? [`Committed ${plural(committed, "change")} in the worktree.`] : []
  if (type === "current") return [...first, `Nothing to merge: ${target} has all of ${branch}.`]
  const how = { "fast-forward": "", merge: "", squash: " as one commit" }[type]
  return [...first, `Merged ${branch} into ${target}${how}, now at ${commit.slice(0, 10)}: ${summary || "no changes"}.`]
}

export const command = defineCommand({
  usage: ["worktree merge [options] <name>"],
  notes: [
    "Merges the branch of a worktree into the branch that is checked out in the directory from which the worktree was created. " +
      "Uncommitted work in the worktree is committed first. The worktree stays.",
    "With a conflict, or if the merge would touch files with uncommitted changes of yours, nothing is merged and your files stay as " +
      "they are. Hooks of the repository do not run, and new commits are not signed. It is refused while a session works in the worktree.",
  ],
  words: { min: 1, max: 1, completes: "worktrees", missing: MISSING_WORKTREE },
  options: worktreeMergeOptions,
  exitCodes: { 2: "not merged; the reason and the next step are on stderr" },
  examples: [
    ["pawl worktree merge fix-login", "merge the branch pawl/fix-login"],
    ['pawl worktree merge --squash -m "Fix the login" fix-login', "merge it as one commit"],
  ],
  run: worktreeMerge,
})

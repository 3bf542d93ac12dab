import { workDirectory } from "@pawl/runtime/session/work-directory"
import { wantsColour } from "@pawl/terminal-text/theme"
import { diffWorktree } from "@pawl/worktree"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { directoryOptions } from "../../command-options.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { MISSING_WORKTREE, worktreeDeps } from "../../worktree/worktree-deps.ts"

const worktreeDiffOptions = {
  stat: { summary: "list the changed files with the number of changed lines" },
  ...directoryOptions,
} as const

async function worktreeDiff(
  { options, words: [name = ""] }: CommandInput<typeof worktreeDiffOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr, environment } = host
  const color = wantsColour(environment, stdout.isTerminal) ? "always" : "never"
  const directory = await workDirectory(host, options.dir)
  const gitOptions = [`--color=${color}`, ...(options.stat ? ["--stat"] : [])]
  const diff = await diffWorktree({ directory, name, options: gitOptions }, await worktreeDeps(host))
  if (diff === "") stderr.write("The worktree has no changes.\n")
  else stdout.write(`${diff}\n`)
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["worktree diff [options] <name>"],
  notes: [
    "Shows what a worktree has changed since it left the branch that is checked out where it was created, with uncommitted and untracked " +
      "files, as git shows it.",
  ],
  words: { min: 1, max: 1, completes: "worktrees", missing: MISSING_WORKTREE },
  options: worktreeDiffOptions,
  examples: [
    ["pawl worktree diff fix-login", "show the changes"],
    ["pawl worktree diff --stat fix-login", "list the changed files"],
  ],
  isForPrograms: true,
  run: worktreeDiff,
})

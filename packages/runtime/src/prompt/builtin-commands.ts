import type { CommandConfig } from "@pawl/config"
import { COMPACT_COMMAND } from "@pawl/core"
import type { PluginCommand } from "@pawl/core/plugin"

/** A command that can be used, wherever it was written. */
export interface Command extends CommandConfig {
  readonly name: string
  /** Absolute path of the file, or the name of another source. Absent for built-in commands. */
  readonly source?: string
  /** Came with the project: its shell commands run only where that is trusted, and its files are the project's. */
  readonly isProject: boolean
  /** Makes its prompt in place of the template, which is empty then. */
  readonly expand?: PluginCommand["expand"]
  /** Done in place of a prompt. */
  readonly does?: "compact"
}

const INIT = `Write the file AGENTS.md at the root of this repository, for agents that will work here: what they could not see at once and would get wrong.

Look before you write: manifests and lockfiles, the configuration of builds, linters and tests, continuous integration, the README, and an AGENTS.md, CLAUDE.md or similar rules that are there already. Check what you write down, by running what is quick and harmless.

Put into it, as far as it applies:
- the commands to build, to check and to test, and how to run one test alone
- where things are: the few directories that matter, and what belongs into which
- the conventions that code here follows and a formatter does not settle
- what must not be touched or run, and traps that cost time before

Keep it short, at most a screen; leave out what is true of any project. If there is an AGENTS.md, mend and tighten it in place of writing it anew.

$ARGUMENTS`

const REVIEW = `Review changes of this repository and report what is wrong with them. Change nothing.

What to review: "$ARGUMENTS". If that is empty: what is not committed yet, new files included, and where there is nothing, the last commit. A commit, a branch or a range is compared as git does it; anything else says what to look at.

Read the changes, then the code around them until you can judge what they do: callers, types, tests. For each finding name the file and line, what happens and when, and how to mend it. Look first for what breaks: wrong results, lost data, races, errors that are swallowed, input that is trusted, what existing callers count on. Then for what is missing: tests for the new behaviour, other places that need the same change. Leave out matters of taste, and what you could not confirm.

Answer with the findings, the worst first, and say so if there are none.`

/** Built-in commands. A command of the same name replaces them. */
export const builtinCommands: readonly Command[] = [
  { ...COMPACT_COMMAND, template: "", isProject: false, does: "compact" },
  {
    name: "init",
    description: "Write an AGENTS.md for this repository, or mend it.",
    template: INIT,
    isProject: false,
  },
  {
    ...{ name: "review", description: "Review changes: what is not committed, a commit, a branch.", template: REVIEW },
    ...{ subtask: true, isProject: false },
  },
]

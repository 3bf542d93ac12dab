import type { Call } from "../call.ts"
import type { Argument } from "../words/argument.ts"
import { operands, optionValue } from "./options.ts"

/** Subcommands that change the files of the work tree, but for words that make them leave those alone. */
const CHANGES: Readonly<Record<string, RegExp | undefined>> = {
  am: undefined,
  apply: /^--(?:check|stat|numstat|summary)$/,
  checkout: undefined,
  "cherry-pick": undefined,
  clean: /^(?:-[a-z]*?n|--dry-run$)/,
  merge: undefined,
  mv: undefined,
  pull: undefined,
  rebase: undefined,
  restore: /^--staged$/,
  revert: undefined,
  rm: /^--(?:cached|dry-run)$/,
  stash: /^(?:list|show|drop|clear|create|store)$/,
  switch: undefined,
}

/** Subcommands whose output may go to a file. */
const PRINTS = new Set(["log", "diff", "show", "diff-tree", "diff-index", "diff-files", "format-patch", "archive"])

/** Notes the files that a subcommand of git writes by its words; not what it keeps for itself. */
export function noteGitWrites(call: Call, subcommand: string, words: readonly Argument[]): void {
  const short = subcommand === "archive" || subcommand === "format-patch" ? "|^-o" : ""
  const output = PRINTS.has(subcommand)
    ? optionValue(words, new RegExp(`^--output(?:-directory)?(?:=|$)${short}`))
    : undefined
  if (output) call.writes(output)
  else if (subcommand === "format-patch" && !words.some(({ value }) => value === "--stdout")) call.changes()
  if (Object.hasOwn(CHANGES, subcommand)) {
    const leaves = CHANGES[subcommand]
    if (!leaves || !words.some(({ value }) => value !== undefined && leaves.test(value))) call.changes()
  }
  if (subcommand === "reset" && words.some(({ value }) => /^--(?:hard|merge|keep)$/.test(value ?? ""))) call.changes()
  const names = operands(words)
  if (subcommand === "init") call.changes(names[0])
  if (subcommand === "clone") call.changes(names.length > 1 ? names.at(-1) : undefined)
  if (subcommand === "worktree" && names[0]?.value === "add" && names[1]) call.changes(names[1])
}

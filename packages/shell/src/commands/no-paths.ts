import type { Argument } from "../words/argument.ts"
import { BUILTINS } from "./builtins.ts"
import { READERS } from "./readers.ts"
import { SHELLS } from "./shells.ts"
import { WRAPPERS } from "./wrappers.ts"

const OWN_READING = "find fd fdfind sed awk gawk mawk nawk env su runuser watch xargs busybox toybox scp rsync".split(
  " ",
)

const ONLY_TEXT = (
  "echo printf true false : expr seq sleep kill pkill pgrep killall tr yes date basename dirname which type whereis man " +
  "apropos id hostname uname hash ssh ping dig nslookup host exit return"
).split(" ")

/**
 * Programs whose words are not paths, or only look like paths, or have their own rule; and programs that run the rest
 * of their words, which are read as another command.
 */
export const TAKES_NO_PATHS: ReadonlySet<string> = new Set([
  ...ONLY_TEXT,
  ...OWN_READING,
  ...Object.keys(BUILTINS),
  ...Object.keys(READERS),
  ...Object.keys(WRAPPERS),
])

const CONTAINERS = new Set(["docker", "podman", "kubectl", "docker-compose", "nerdctl"])

/** Programs that work on other machines, or whose own options say which files they create. */
const MAKES_NONE: ReadonlySet<string> = new Set([
  ...CONTAINERS,
  ...(
    "gh glab aws gcloud az helm heroku vercel netlify wrangler fly firebase supabase terraform tofu pulumi ansible " +
    "curl wget http https xh redis-cli mongosh psql mysql mariadb systemctl launchctl service adb"
  ).split(" "),
])

/** Git subcommands whose words are revisions, names and texts, or files that other tables record. */
const GIT_MAKES_NONE: ReadonlySet<string> = new Set(
  (
    "add am annotate apply archive bisect blame branch bundle cat-file check-ignore check-attr checkout checkout-index cherry " +
    "cherry-pick clean clone commit commit-tree config count-objects describe diff diff-files diff-index diff-tree fetch " +
    "for-each-ref format-patch fsck gc grep hash-object help init lfs log ls-files ls-remote ls-tree merge merge-base mv " +
    "name-rev notes prune pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert rm shortlog " +
    "show show-branch show-ref sparse-checkout stash status submodule switch symbolic-ref tag update-index update-ref " +
    "version whatchanged worktree"
  ).split(" "),
)

/** Returns a function that decides if a word may name a file that the program creates. */
export function makes(name: string, args: readonly Argument[]): (index: number) => boolean {
  if (name !== "git") return () => !MAKES_NONE.has(name)
  const at = args.findIndex(
    ({ prefix }, index) => !prefix.startsWith("-") && !/^-[Cc]$/.test(args[index - 1]?.value ?? ""),
  )
  const isKnown = GIT_MAKES_NONE.has(args[at]?.value ?? "")
  // Long options may name a file for every subcommand.
  return (index) =>
    index > at && (!isKnown || [args[index], args[index - 1]].some((word) => /^--[a-z]/.test(word?.prefix ?? "")))
}

/** Returns the words that refer to this machine, so not those of a command in a container. */
export function operandless(name: string, args: readonly Argument[]): readonly Argument[] {
  const isShell = SHELLS.includes(name)
  const end = CONTAINERS.has(name) || isShell ? args.findIndex(({ value }) => value === (isShell ? "-c" : "exec")) : -1
  return end < 0 ? args : args.slice(0, end)
}

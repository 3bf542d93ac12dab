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
 * Programs whose words are no paths, or texts that only look like some, or are read by a rule of their own; and those that
 * run the rest of their words, which are judged by themselves.
 */
export const TAKES_NO_PATHS: ReadonlySet<string> = new Set([
  ...ONLY_TEXT,
  ...OWN_READING,
  ...Object.keys(BUILTINS),
  ...Object.keys(READERS),
  ...Object.keys(WRAPPERS),
])

const CONTAINERS = new Set(["docker", "podman", "kubectl", "docker-compose", "nerdctl"])

/** Programs that speak of other machines, or say by options of their own which files they make. */
export const MAKES_NONE: ReadonlySet<string> = new Set([
  ...CONTAINERS,
  ...(
    "git gh glab aws gcloud az helm heroku vercel netlify wrangler fly firebase supabase terraform tofu pulumi ansible " +
    "curl wget http https xh redis-cli mongosh psql mysql mariadb systemctl launchctl service adb"
  ).split(" "),
])

/** The words of a program that speak of this machine: those of a command in a container do not. */
export function operandless(name: string, args: readonly Argument[]): readonly Argument[] {
  const isShell = SHELLS.includes(name)
  const end = CONTAINERS.has(name) || isShell ? args.findIndex(({ value }) => value === (isShell ? "-c" : "exec")) : -1
  return end < 0 ? args : args.slice(0, end)
}

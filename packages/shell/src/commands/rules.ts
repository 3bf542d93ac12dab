import type { Rule } from "../call.ts"
import { awk } from "./awk.ts"
import { BUILTINS } from "./builtins.ts"
import { fileOptions, WITH_FILE_OPTIONS } from "./file-options.ts"
import { WRITERS } from "./files.ts"
import { fd, find } from "./find.ts"
import { git } from "./git.ts"
import { client, CLIENTS, interpreter, INTERPRETERS } from "./interpreters.ts"
import { OPAQUE, opaque } from "./opaque.ts"
import { READERS } from "./readers.ts"
import { RUNNING, running } from "./running-options.ts"
import { sed } from "./sed.ts"
import { multicall, shell, SHELLS } from "./shells.ts"
import { hasScript, PROGRAMS, runRest, subcommands } from "./subcommands.ts"
import { env, flock, su, typescript, watch, wrapper, WRAPPERS } from "./wrappers.ts"
import { xargs } from "./xargs.ts"

const SPECIAL: Readonly<Record<string, Rule>> = {
  env,
  su,
  runuser: su,
  flock,
  script: typescript,
  watch,
  xargs,
  find,
  fd,
  fdfind: fd,
  git,
  sed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  busybox: multicall,
  toybox: multicall,
  pip3: subcommands,
  npx: (call) => (hasScript(call) ? runRest(call) : wrapper(call)),
}

const TABLES: readonly (readonly [names: readonly string[], rule: Rule])[] = [
  [Object.keys(WRAPPERS), wrapper],
  [Object.keys(PROGRAMS), subcommands],
  [SHELLS, shell],
  [INTERPRETERS.filter((name) => !Object.hasOwn(PROGRAMS, name)), interpreter],
  [CLIENTS, client],
  [OPAQUE, opaque],
]

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...TABLES.flatMap(([names, rule]) => names.map((name) => [name, rule] as const)),
  ...Object.entries(BUILTINS),
  ...Object.entries(SPECIAL),
])

/** Returns the rule for a program or builtin; undefined if its words have no special meaning. */
export function ruleFor(name: string): Rule | undefined {
  const main = RULES.get(name)
  const others = [
    WITH_FILE_OPTIONS.has(name) ? fileOptions : undefined,
    Object.hasOwn(RUNNING, name) ? running : undefined,
    Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined,
    Object.hasOwn(READERS, name) ? READERS[name] : undefined,
  ]
  const rules = [main, ...others].filter((rule) => rule !== undefined)
  if (rules.length < 2) return rules[0]
  return (call) => rules.map((rule) => rule(call)).find((after) => after !== undefined)
}

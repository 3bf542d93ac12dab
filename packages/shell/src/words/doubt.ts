import type { Notes } from "../notes.ts"
import { type Argument, HOLE } from "./argument.ts"
import type { Expansion } from "./expansion.ts"

/**
 * Returns true if a word may become an option. The output of a substitution and a variable of the environment count as
 * ordinary values, unless the command itself makes them look like an option.
 */
export function mayBeOption(argument: Argument, notes: Notes): boolean {
  if (argument.value !== undefined) return argument.value.startsWith("-")
  if (argument.prefix === "") return isDubious(argument, notes)
  if (argument.prefix.startsWith("-")) return true
  // The first of several words ends the prefix.
  return argument.isSplit && argument.expansions.some((expansion) => isDubiousExpansion(expansion, notes))
}

/** Returns true if the command itself may have put an unusual value into the word. */
export function isDubious(argument: Argument, notes: Notes): boolean {
  if (argument.value !== undefined) return false
  if (argument.isOutput) return isMade(argument.text)
  if (/[{,]-/.test(argument.text)) return true
  return argument.expansions.some((expansion) => isDubiousExpansion(expansion, notes))
}

/** Returns true if a word, or one of the words that it becomes, looks like an option. */
export function isOptionLike(argument: Argument, notes: Notes): boolean {
  const { value, prefix } = argument
  return value === undefined ? prefix.startsWith("-") || isDubious(argument, notes) : /(?:^|\s)-/.test(value)
}

function isDubiousExpansion({ name, given, cut, isOpen }: Expansion, notes: Notes): boolean {
  notes.asked.add(name)
  if (isOpen || notes.dubious.has(name) || given.some((argument) => isOptionLike(argument, notes))) return true
  if (cut === undefined) return false
  const mark = cut === "directories" ? "/-" : "-"
  return [...(notes.values.get(name) ?? [])].some((value) => value.includes(mark))
}

/** Returns the word with its variables replaced by each of the texts that the command assigns. */
export function variants({ value, skeleton, expansions }: Argument, notes: Notes): string[] {
  if (value !== undefined) return [value]
  const texts = new Set(expansions.flatMap((expansion) => textsOf(expansion, notes)))
  return [...texts].map((text) => skeleton.replaceAll(HOLE, () => text))
}

/** Returns the first problem of a script, with its variables as holes or replaced by assigned texts. */
export function firstProblem(
  script: Argument,
  notes: Notes,
  problemOf: (text: string) => string | undefined,
): string | undefined {
  const scripts = [script.skeleton, ...variants(script, notes)]
  return scripts.map(problemOf).find((problem) => problem !== undefined)
}

function textsOf({ name, given }: Expansion, notes: Notes): string[] {
  notes.asked.add(name)
  return [...(notes.values.get(name) ?? []), ...given.flatMap((argument) => variants(argument, notes))]
}

const HARMLESS_OUTPUT =
  /^\s*(?:wc|nproc|mktemp|pwd|git|dirname|basename|realpath|readlink|which|ls|find|date|npm|node|grep|head|tail|sort|uniq|id|whoami|hostname|uname|stat|du|df|jq|cat|cut|seq|pgrep|go|cargo|rustc|python3?)\s/

/** Words of a command that it prints unchanged, if they look like an option. */
const ECHOED =
  /['"+=/]-|%n-|%x|\+\S*-[a-z]|--\w*arg\s+\w+\s+-|\s--\s+-|\s-(?:printf|[cfs]|-format|-printf|-default)\s*['"]?-|-c-|\brev-parse\s(?!\s*(?:(?:-q|--(?:show-\w+|abbrev-ref|short|verify|git-\S+|is-\S+|absolute-git-dir|symbolic-full-name))(?:=\w+)?\s+)*[^-\s]*\s*$)/

/** Returns true if a substitution's output depends on the command's own text instead of the system's state. */
export function isMade(substitution: string): boolean {
  if (substitution.length > 2000) return true
  const inner = substitution.replaceAll(/^"?(?:\$\(|`)|(?:\)|`)"?$/g, " ")
  if (/\$\(|`|\\|<<|[;&\n]|\{/.test(inner)) return true
  return inner.split("|").some((command) => !HARMLESS_OUTPUT.test(`${command} `) || ECHOED.test(`${command} `))
}

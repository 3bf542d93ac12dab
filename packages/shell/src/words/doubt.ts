import type { Notes } from "../notes.ts"
import type { Argument } from "./argument.ts"

/**
 * Whether a word may turn out to be an option. The output of a substitution and a variable of the environment are
 * taken for ordinary values, unless the command itself makes them look like an option.
 */
export function mayBeOption(argument: Argument, notes: Notes): boolean {
  if (argument.value !== undefined) return argument.value.startsWith("-")
  if (argument.prefix !== "") return argument.prefix.startsWith("-")
  return isDubious(argument, notes)
}

/** Whether the command itself may have put something else than an ordinary value into the word. */
export function isDubious(argument: Argument, notes: Notes): boolean {
  if (argument.value !== undefined) return false
  if (argument.isOutput) return isMade(argument.text)
  if (/[{,]-/.test(argument.text)) return true
  return argument.names.some((name) => notes.dubious.has(name))
}

const HARMLESS_OUTPUT =
  /^\s*(?:wc|nproc|mktemp|pwd|git|dirname|basename|realpath|readlink|which|ls|find|date|npm|node|grep|head|tail|sort|uniq|id|whoami|hostname|uname|stat|du|df|jq|cat|cut|seq|pgrep|go|cargo|rustc|python3?)\s/

/** Whether a substitution gives what the command's own text says, and not what the system holds. */
export function isMade(substitution: string): boolean {
  if (substitution.length > 2000) return true
  const inner = substitution.replaceAll(/^"?(?:\$\(|`)|(?:\)|`)"?$/g, " ")
  if (/\$\(|`|\\|<<|[;&\n]|\{/.test(inner)) return true
  return inner.split("|").some((command) => !HARMLESS_OUTPUT.test(`${command} `))
}

import { quote, type ShellCommand } from "@pawl/shell"

/** A word of a command, as far as it is known before the command runs. */
export interface CommandWord {
  /** As it was written if `isOpen`. */
  readonly value: string
  /** Becomes other words while the command runs: a variable, a substitution, a glob, braces. */
  readonly isOpen: boolean
}

/** Assignments in front of a command that only say how it prints. */
const HARMLESS_FRONT =
  /^(?:(?:(?:GIT_)?PAGER=cat|(?:LC_ALL|LANG)=[\w.-]+|NO_COLOR=1|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS)=0) )*/

/** The words of a command; undefined if assignments in front of it may change what it does. */
export function commandWords({ text, words }: ShellCommand): readonly CommandWord[] | undefined {
  let rest = `${text.replace(HARMLESS_FRONT, "")} `
  const found: CommandWord[] = []
  for (const value of words) {
    const quoted = `${quote(value)} `
    const isOpen = !rest.startsWith(quoted)
    if (isOpen && !rest.startsWith(`${value} `)) return undefined
    rest = rest.slice(isOpen ? value.length + 1 : quoted.length)
    found.push({ value, isOpen })
  }
  return rest === "" ? found : undefined
}

/** Whether the word is no option, whatever it becomes: one or more words that begin as it does. */
export function isOperand({ value, isOpen }: CommandWord): boolean {
  if (!isOpen) return value === "-" || !value.startsWith("-")
  return /^[\w./:@^~%,=+][^$`{\u2026\\'"]*$/.test(value)
}

/** Whether every word in front of `--` is an operand or one of these options; behind it there are only operands. */
export function hasOnly(words: readonly CommandWord[], options: RegExp): boolean {
  const end = words.findIndex(({ value, isOpen }) => value === "--" && !isOpen)
  const before = end < 0 ? words : words.slice(0, end)
  return before.every((word) => isOperand(word) || (!word.isOpen && options.test(word.value)))
}

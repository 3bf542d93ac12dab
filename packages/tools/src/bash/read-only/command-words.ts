import { quote, type ShellCommand } from "@pawl/shell"

/** A word of a command, as far as it is known before the command runs. */
export interface CommandWord {
  /** The source text if `isOpen`. */
  readonly value: string
  /** Set if the shell expands the word: a variable, a substitution, a glob, braces. */
  readonly isOpen: boolean
}

/** Assignments before a command that only change how it prints. */
const HARMLESS_FRONT =
  /^(?:(?:(?:GIT_)?PAGER=cat|(?:LC_ALL|LANG)=[\w.-]+|NO_COLOR=1|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS)=0) )*/

/** Returns the words of a command; undefined if an assignment before it may change what it does. */
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

/** Returns true if no expansion of the word can be an option. */
export function isOperand({ value, isOpen }: CommandWord): boolean {
  if (!isOpen) return value === "-" || !value.startsWith("-")
  return /^[\w./:@^~%,=+][^$`{\u2026\\'"]*$/.test(value)
}

/** Returns true if every word before `--` is an operand or matches `options`. Words after `--` are operands. */
export function hasOnly(words: readonly CommandWord[], options: RegExp): boolean {
  const end = words.findIndex(({ value, isOpen }) => value === "--" && !isOpen)
  const before = end < 0 ? words : words.slice(0, end)
  return before.every((word) => isOperand(word) || (!word.isOpen && options.test(word.value)))
}

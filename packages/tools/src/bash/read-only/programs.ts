import { type CommandWord, hasOnly, isOperand } from "./command-words.ts"
import { gitReads } from "./git.ts"
import { isSecret } from "./secret-names.ts"

/** Returns true if a command with these words, without its name, changes nothing. */
type Reads = (words: readonly CommandWord[]) => boolean

const always: Reads = () => true

/** These read or print, and have no option that writes a file or runs a program. */
const READERS =
  "ls cat head tail stat df nl tac rev cut tr comm join paste cmp fold expand md5sum sha1sum sha256sum sha512sum cksum od " +
  "hexdump basename dirname realpath readlink pwd echo true false : which type whoami id uname nproc seq jq " +
  "cd chdir pushd popd"

/** For options that name a file of patterns or file names, whose content appears in the output. */
function without(options: RegExp): Reads {
  return (words) => words.every(({ value }) => !options.test(value))
}

const GREP_FILE = /^-[A-Za-z]*f|^--f(?!ixed-strings$|iles-with-matches$|iles-without-match$)|^--exclude-from/

/** `@` names a file of further words. */
const strings: Reads = (words) => words.every(({ value, isOpen }) => (isOpen ? /^[\w./~]/ : /^[^@]/).test(value))

function only(options: RegExp): Reads {
  return (words) => hasOnly(words, options)
}

const FIND =
  /^-(?:H|L|P|i?name|i?path|i?wholename|i?regex|regextype|type|maxdepth|mindepth|not|o|or|a|and|print|print0|printf|ls|size|[mac](?:time|min)|newer\w*|empty|prune|user|group|perm|daystart|xdev|mount|depth|quit|executable|readable|writable|links|inum|follow|true|false)$/

const RIPGREP =
  /^(?:-[A-Za-z0-9.].*|--(?:line-number|files|files-with-matches|files-without-match|count|count-matches|ignore-case|smart-case|case-sensitive|fixed-strings|word-regexp|line-regexp|hidden|no-ignore|glob|iglob|type|type-not|max-count|max-depth|context|after-context|before-context|no-heading|heading|json|multiline|pcre2|sort|sortr|stats|color|no-messages|only-matching|invert-match|follow|regexp|with-filename|no-filename|column|vimgrep|trim|text|max-columns|null|type-list|version)(?:=.*)?)$/s

const SORT =
  /^(?:-[bdfgiMhnRrVcCmsuz]+|-[kt].*|--(?:key|field-separator)=.*|--(?:reverse|unique|numeric-sort|human-numeric-sort|version-sort|general-numeric-sort|ignore-case|ignore-leading-blanks|stable|check|zero-terminated))$/s

const uniq: Reads = (words) => {
  const isOption = /^(?:-[cdDuiz]+|-[fsw]\d+|--(?:count|repeated|unique|ignore-case))$/
  // The second operand is an output file.
  return hasOnly(words, isOption) && words.filter(({ value }) => !isOption.test(value)).length <= 1 && !hasOpen(words)
}

const date: Reads = (words) => {
  const isFormat = /^(?:\+.*|-u|--utc|-R|-I\w*|--iso-8601(?:=\w+)?|--rfc-3339=\w+|--date=.*)$/s
  return words.every(({ value, isOpen }) => !isOpen && isFormat.test(value))
}

/** `test -v` evaluates array subscripts, which may run a command. */
const test: Reads = (words) => words.every(({ value, isOpen }) => !isOpen && value !== "-v")

/** Checks only the time: the command that `timeout` runs is listed separately. */
const timeout: Reads = ([time]) => time !== undefined && !time.isOpen && /^\d+[smh]?$/.test(time.value)

const command: Reads = ([name]) => name !== undefined && !name.isOpen && /^(?:-[vV]$|[^-])/.test(name.value)

const printf: Reads = ([format]) => format !== undefined && !format.isOpen && !format.value.startsWith("-")

/** Accepts only scripts that print lines by number. */
const sed: Reads = (words) => {
  const at = words.findIndex(({ value }) => !/^-[nEr]+$/.test(value))
  const [script, ...files] = at < 0 ? [] : words.slice(at)
  const isQuiet = words.slice(0, at).some(({ value }) => value.includes("n"))
  if (!script || script.isOpen || !isQuiet) return false
  return /^(?:(?:\d+|\$)(?:,(?:\+?\d+|\$))?p(?:;\s*|$))+$/.test(script.value) && files.every(isOperand)
}

/** Accepts only scripts without redirection, pipes, `system` and indirect function calls. */
const awk: Reads = (words) => {
  const options = words.findIndex(({ value }) => !value.startsWith("-"))
  const [separator, second] = words
  const at = separator?.value === "-F" && !separator.isOpen && second && !second.isOpen ? 2 : options
  const isPlain = at === 2 || words.slice(0, at).every(({ value, isOpen }) => !isOpen && /^-F./s.test(value))
  const [script, ...files] = at < 0 ? [] : words.slice(at)
  if (!script || script.isOpen || !isPlain) return false
  return !/[>|@]|\\\n|system|getline|ARGV/.test(script.value) && files.every(isOperand)
}

const TREE = /^(?:-[adfighpsuDFrtCnxl]+|-[LIP]|--(?:noreport|dirsfirst|gitignore|prune|du))$/
const FILE = /^(?:-[bikLh]+|--(?:brief|mime|mime-type|mime-encoding))$/

/** Programs with a rule that says when they change nothing. */
const PROGRAMS: ReadonlyMap<string, Reads> = new Map([
  ...READERS.split(" ").map((name): [string, Reads] => [name, always]),
  ["find", (words) => words.every((word) => isOperand(word) || isFind(word))],
  ...["grep", "egrep", "fgrep"].map((name): [string, Reads] => [name, without(GREP_FILE)]),
  ["wc", without(/^--fi/)],
  ["du", without(/^--fi|^-\w*X|^--exclude-/)],
  ["diff", without(/^--(?:fr|to|exclude-)|^-\w*X/)],
  ["rg", (words) => hasOnly(words, RIPGREP) && without(/^-[A-Za-z]*f/)(words)],
  ["sort", only(SORT)],
  ["tree", only(TREE)],
  ["file", only(FILE)],
  ...([
    ["uniq", uniq],
    ["date", date],
    ["test", test],
    ["[", test],
    ["printf", printf],
  ] as const),
  ...([
    ["sed", sed],
    ["awk", awk],
    ["git", gitReads],
    ["strings", strings],
    ["timeout", timeout],
    ["command", command],
  ] as const),
])

/** Returns true if the command changes nothing and runs nothing that its words do not name. */
export function readsOnly([name, ...words]: readonly CommandWord[]): boolean {
  // Another user's home directory is not resolved by the reading.
  if (words.some(({ value }) => /^~[^/]/.test(value) || isSecret(value))) return false
  return name !== undefined && !name.isOpen && PROGRAMS.get(name.value)?.(words) === true
}

function isFind({ value, isOpen }: CommandWord): boolean {
  return !isOpen && FIND.test(value)
}

function hasOpen(words: readonly CommandWord[]): boolean {
  return words.some(({ isOpen }) => isOpen)
}

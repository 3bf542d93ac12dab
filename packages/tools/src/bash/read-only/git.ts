import { type CommandWord, hasOnly } from "./command-words.ts"

/** Options of revisions and diffs that only change the output. */
const DIFF_OPTIONS =
  /^(?:-\d+|-[abcmpstuwzEFGSLPRgin]\w*|-[nSGLUMCB].*|-cc|--(?:oneline|graph|all|branches|tags|remotes|stat|numstat|shortstat|dirstat|summary|name-only|name-status|patch|no-patch|patch-with-stat|raw|decorate|no-decorate|pretty|format|abbrev|abbrev-commit|no-abbrev-commit|date|relative-date|since|after|until|before|author|committer|grep|invert-grep|all-match|regexp-ignore-case|extended-regexp|fixed-strings|perl-regexp|merges|no-merges|first-parent|merge-base|max-count|skip|reverse|follow|topo-order|date-order|author-date-order|simplify-by-decoration|left-right|cherry|cherry-pick|cherry-mark|left-only|right-only|ancestry-path|count|cached|staged|unified|word-diff|word-diff-regex|color-words|color|no-color|minimal|patience|histogram|diff-algorithm|ignore-space-change|ignore-all-space|ignore-space-at-eol|ignore-blank-lines|ignore-cr-at-eol|function-context|diff-filter|find-renames|find-copies|no-renames|pickaxe-all|pickaxe-regex|no-index|no-ext-diff|no-textconv|exit-code|quiet|check|compact-summary|no-prefix|relative|ignore-submodules|walk-reflogs|source|full-history|show-pulls|boundary|parents|children|objects|inter-hunk-context|text|binary|full-index|numbered|email|no-notes|end-of-options|no-walk|no-color-moved|color-moved)(?:=.*)?)$/s

const STATUS =
  /^(?:-[sbvz]+|-u\w*|--(?:short|branch|show-stash|porcelain|long|verbose|untracked-files|ignored|ignore-submodules|ahead-behind|no-ahead-behind|renames|no-renames|column|no-column)(?:=.*)?)$/

const BLAME =
  /^(?:-[bcefklnpstw]+|-[LMCS].*|--(?:root|show-stats|show-name|show-number|show-email|date|porcelain|line-porcelain|since|reverse|first-parent|abbrev|ignore-rev)(?:=.*)?)$/s

/** Excludes options whose value may be the next word. */
const LIST_OPTIONS =
  /^(?:-[arvil]+|-n\d*|--(?:all|remotes|list|verbose|show-current|contains|no-contains|merged|no-merged|points-at|color|no-color|column|no-column|ignore-case|abbrev|no-abbrev)|--(?:contains|no-contains|merged|no-merged|points-at|sort|format|color|column|abbrev)=.*)$/s

const GREP =
  /^(?:-[acefhilnopqvwzEFGHILPW]+|-[ABC]?\d+|-[ABCem]|--(?:cached|untracked|no-index|ignore-case|line-number|column|name-only|files-with-matches|files-without-match|count|word-regexp|extended-regexp|fixed-strings|perl-regexp|basic-regexp|invert-match|heading|break|show-function|function-context|context|after-context|before-context|max-depth|max-count|all-match|and|or|not|color|no-color|text|full-name|only-matching|recursive|no-recursive|threads)(?:=.*)?)$/

const CONFIG =
  /^(?:-l|-z|--(?:get|get-all|get-regexp|list|global|local|system|show-origin|show-scope|name-only|null|type=\w+))$/

/**
 * For subcommands that only read, whatever their options are. Excludes `--help`, which starts the user's help viewer.
 */
const ANY = /^(?!--h)-.*$/s

type Reads = (words: readonly CommandWord[]) => boolean

function only(options: RegExp): Reads {
  return (words) => hasOnly(words, options)
}

/** Operands create or change something, unless an earlier option makes them search patterns. */
function asks(isSearch: RegExp, options: RegExp, isEnough = false): Reads {
  return (words) => {
    const operand = words.findIndex(({ value }) => !/^-(?!-$)/.test(value))
    const before = operand < 0 ? words : words.slice(0, operand)
    const isAsking = before.some(({ value }) => isSearch.test(value)) || (isEnough && operand < 0)
    return isAsking && words.every(({ isOpen }) => !isOpen) && hasOnly(words, options)
  }
}

/** Returns true if the first word matches `names` and the others only change the output. */
function first(names: RegExp, options: RegExp): Reads {
  return ([name, ...words]) => name !== undefined && !name.isOpen && names.test(name.value) && hasOnly(words, options)
}

const remote: Reads = (words) => {
  const [option, ...others] = words
  if (option === undefined || (/^(?:-v|--verbose)$/.test(option.value) && others.length === 0)) return true
  return first(/^get-url$/, /^--(?:all|push)$/)(words)
}

const reflog: Reads = (words) => words.length === 0 || first(/^show$/, DIFF_OPTIONS)(words)

const LISTING = /^--(?:list|contains|no-contains|merged|no-merged|points-at)(?:=.*)?$/

const SUBCOMMANDS: ReadonlyMap<string, Reads> = new Map<string, Reads>([
  ...["log", "show", "diff", "shortlog", "rev-list", "diff-tree", "diff-index", "diff-files"].map(
    (name): [string, Reads] => [name, only(DIFF_OPTIONS)],
  ),
  ...["rev-parse", "ls-files", "ls-tree", "merge-base", "show-ref", "for-each-ref", "name-rev", "describe"].map(
    (name): [string, Reads] => [name, only(ANY)],
  ),
  ["count-objects", only(ANY)],
  ["check-ignore", only(ANY)],
  ["status", only(STATUS)],
  ["blame", only(BLAME)],
  ["grep", only(GREP)],
  ["cat-file", only(/^-[pste]$/)],
  ["branch", asks(LISTING, LIST_OPTIONS, true)],
  ["tag", asks(LISTING, LIST_OPTIONS, true)],
  ["remote", remote],
  ["stash", first(/^(?:list|show)$/, DIFF_OPTIONS)],
  ["worktree", first(/^list$/, /^(?:-v|-z|--porcelain|--verbose)$/)],
  ["reflog", reflog],
  ["config", asks(/^(?:-l|--(?:get|get-all|get-regexp|list))$/, CONFIG)],
])

/** Formats that make gpg check a signature, which writes its key ring. */
const CHECKS = /%[-+ ]?G|%\(.*signature/is
const REFS: ReadonlySet<string> = new Set(["for-each-ref", "branch", "tag"])

/**
 * Returns true if git with these words changes nothing. Does not check git's configuration, which may name programs.
 */
export function gitReads(words: readonly CommandWord[]): boolean {
  const [word, next, ...others] = words
  if (!word || word.isOpen) return false
  if (word.value === "--version" || word.value === "version") return words.length === 1
  if (/^--(?:no-pager|no-optional-locks|literal-pathspecs)$|^-P$/.test(word.value)) return gitReads(words.slice(1))
  // `..` after another name depends on links, so it is allowed only at the beginning.
  const isKnownDirectory = next !== undefined && !next.isOpen && /^(?:\.\.\/?)*(?!.*\.\.)/s.test(next.value)
  // The reading knows only the first `-C`.
  if (word.value === "-C") return isKnownDirectory && !others.some(({ value }) => value === "-C") && gitReads(others)
  // References can also be sorted by signature.
  if (words.some(({ value }) => CHECKS.test(value) || (REFS.has(word.value) && /signature/i.test(value)))) return false
  return SUBCOMMANDS.get(word.value)?.(words.slice(1)) === true
}

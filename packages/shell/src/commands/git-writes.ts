import type { Call } from "../call.ts"
import { type Argument, behind, literal } from "../words/argument.ts"
import { listing } from "../words/hole.ts"
import { stripOf } from "./archives.ts"
import { operands, optionValue } from "./options.ts"

/** Subcommands that change files of the worktree, with options that prevent it. */
const CHANGES: Readonly<Record<string, RegExp | undefined>> = {
  am: undefined,
  apply: /^--(?:check|stat|numstat|summary)$/,
  checkout: undefined,
  "checkout-index": /^(?:-[a-z]*?n|--no-create)$/,
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

/** Options of subcommands whose value is the next word. */
const VALUED: Readonly<Record<string, RegExp>> = {
  clone:
    /^(?:-[^-bojc]*[bojcu]|--(?:branch|origin|depth|jobs|config|upload-pack|reference(?:-if-able)?|separate-git-dir|template|filter|shallow-since|shallow-exclude|server-option|bundle-uri|ref-format))$/,
  init: /^(?:-b|--(?:initial-branch|separate-git-dir|template|object-format|ref-format))$/,
  worktree: /^(?:-[bB]|--reason)$/,
  submodule: /^(?:-b|--(?:branch|name|reference|depth))$/,
  restore: /^(?:-s|--source|--conflict)$/,
  bundle: /^--version$/,
  clean: /^(?:-[a-z]*e|--exclude)$/,
}

/** Options of subcommands whose value is a file to read. */
const READS: Readonly<Record<string, RegExp>> = {
  commit: /^(?:-[a-zA-Z]*?[Ft]|--(?:file|template)(?:=|$))/,
  tag: /^(?:-[a-zA-Z]*?F|--file(?:=|$))/,
  notes: /^(?:-[a-zA-Z]*?F|--file(?:=|$))/,
  merge: /^(?:-F|--file(?:=|$))/,
  grep: /^(?:-[a-zA-Z]*?f$)/,
  blame: /^(?:--(?:contents|ignore-revs-file)(?:=|$)|-S)/,
  clone: /^--(?:reference|reference-if-able|template|bundle-uri)(?:=|$)/,
}

/** Options of subcommands whose value is a file or directory to write. */
const OUTPUTS: Readonly<Record<string, RegExp>> = {
  clone: /^--separate-git-dir(?:=|$)/,
  init: /^--separate-git-dir(?:=|$)/,
  bugreport: /^(?:-o|--output-directory(?:=|$))/,
  diagnose: /^(?:-o|--output-directory(?:=|$))/,
  "checkout-index": /^--prefix(?:=|$)/,
}

/** Records the files that a git subcommand reads and writes by its words, except git's own files. */
export function noteGitWrites(call: Call, subcommand: string, words: readonly Argument[]): void {
  notePatches(call, subcommand, words)
  const short = subcommand === "archive" || subcommand === "format-patch" ? "|^-[a-zA-Z]*?o" : ""
  const output = optionValue(words, new RegExp(`^--ou(?:t(?:p(?:u(?:t(?:-directory)?)?)?)?)?(?:=|$)${short}`))
  if (output) call.writes(output)
  else if (subcommand === "format-patch" && !words.some(({ value }) => value === "--stdout")) call.changes()
  const list = optionValue(words, /^--pathspec-from-file(?:=|$)/)
  if (list && list.value !== "-") call.reads(list)
  for (const [table, note] of [
    [READS, call.reads],
    [OUTPUTS, call.writes],
  ] as const) {
    const pattern = Object.hasOwn(table, subcommand) ? table[subcommand] : undefined
    const file = pattern && optionValue(words, pattern)
    if (file && file.value !== "-") note(file)
  }
  if (Object.hasOwn(CHANGES, subcommand)) {
    const leaves = CHANGES[subcommand]
    if (!leaves || !words.some(({ value }) => value !== undefined && leaves.test(value))) call.changes()
  }
  noteRemoved(call, subcommand, words)
  noteRestores(call, subcommand, words)
  if (subcommand === "reset" && words.some(({ value }) => /^--(?:hard|merge|keep)$/.test(value ?? ""))) call.changes()
  if (Object.hasOwn(OPERANDS, subcommand))
    OPERANDS[subcommand]?.(call, operands(withoutValues(subcommand, words)), words)
}

/** Records tracked files that are written without being named. */
function noteRestores(call: Call, subcommand: string, words: readonly Argument[]): void {
  const has = (option: RegExp) => words.some(({ prefix }) => option.test(prefix))
  const everything = literal("/")
  const paths = operands(withoutValues(subcommand, words))
  if (subcommand === "checkout") {
    const at = words.findIndex(({ value }) => value === "--")
    const isOther = at > 0 ? operands(words.slice(0, at)).length > 0 : paths.length > 1
    for (const path of paths) call.restores(path, isOther ? "replace" : "restore")
    if (has(/^(?:-f|--force$|--pathspec-from)/)) call.restores(everything, "replace")
  }
  if (subcommand === "restore" && !(has(/^(?:-S|--staged)/) && !has(/^(?:-W|--worktree)/))) {
    const isOther = has(/^(?:-s|--source)/)
    for (const path of paths) call.restores(path, isOther ? "replace" : "restore")
    if (has(/^--pathspec-from/)) call.restores(everything, isOther ? "replace" : "restore")
  }
  if (subcommand === "reset" && has(/^--(?:hard|merge|keep)$/)) call.restores(everything, "replace")
  if (subcommand === "read-tree" && has(/^-[a-z]*u/)) call.restores(everything, "replace")
  const verb = words[0]?.value ?? "push"
  if (subcommand === "stash" && /^(?:pop|apply|branch)$/.test(verb)) call.restores(everything, "replace")
  if (subcommand === "stash" && /^(?:push|save|-.*)$/.test(verb)) call.restores(everything, "restore")
  if ((subcommand === "apply" || subcommand === "am") && !has(/^--(?:check|stat|numstat|summary|cached)$/))
    call.restores(everything, "replace")
}

/** Options of `git apply` and `git am` that leave names and files as they are. */
const PLAIN_PATCH =
  /^(?:-[RN3vqskp\d]+|--(?:3way|index|intent-to-add|reverse|reject|allow-overlap|allow-empty|inaccurate-eof|recount|ignore-space-change|ignore-whitespace|unidiff-zero|whitespace|verbose|quiet|signoff|keep|no-keep-cr|keep-cr|message-id|utf8|committer-date-is-author-date|ignore-date|empty|gpg-sign|no-gpg-sign|no-verify))(?:=|$)/

/** Notes the patches that git applies: they name the files. */
function notePatches(call: Call, subcommand: string, words: readonly Argument[]): void {
  if (subcommand !== "apply" && subcommand !== "am") return
  const has = (option: RegExp) => words.some(({ prefix }) => option.test(prefix))
  if (has(/^--(?:check|stat|numstat|summary|cached|abort|quit|show-current-patch)(?:=|$)/)) return
  const prefix = optionValue(words, /^--directory(?:=|$)/)
  const isValue = (index: number) => /^(?:-p|--directory)$/.test(words[index - 1]?.value ?? "")
  const others = words.filter((word, index) => word !== prefix && !isValue(index))
  const isPlain = others.every(
    ({ prefix: word }) => !word.startsWith("-") || PLAIN_PATCH.test(word) || /^--?$/.test(word),
  )
  const strip = stripOf(optionValue(words, /^-[RN3vqsk]*?p/)) ?? 1
  const files = operands(others)
  const isKnown = isPlain && prefix === undefined
  if (!isKnown) return call.unpacks({ kind: "patch" })
  for (const source of files) call.unpacks({ kind: "patch", source, strip })
  const input = call.state.stdin
  if (files.length === 0) call.unpacks({ kind: "patch", input, text: input ? undefined : call.input, strip })
}

/** Removes the values of options. */
function withoutValues(subcommand: string, words: readonly Argument[]): readonly Argument[] {
  const valued = Object.hasOwn(VALUED, subcommand) ? VALUED[subcommand] : undefined
  return words.filter((_, index) => !valued?.test(words[index - 1]?.value ?? ""))
}

/** Records that untracked files of any name are removed. */
function noteRemoved(call: Call, subcommand: string, words: readonly Argument[]): void {
  const isCleaning = subcommand === "clean" && !words.some(({ value }) => /^(?:-[a-z]*?n|--dry-run$)/.test(value ?? ""))
  const isStashing =
    subcommand === "stash" &&
    words.some(({ prefix }) => /^(?:-[a-zA-Z]*[ua]|--(?:i|al))/.test(prefix)) &&
    /^(?:push|save|-.*)$/.test(words[0]?.value ?? "push")
  const places = subcommand === "clean" ? operands(withoutValues(subcommand, words)) : []
  if (isCleaning || isStashing)
    for (const place of places.length > 0 ? places : [literal(".")]) call.changesWithin(place, [listing(["g"])])
}

type Operands = (call: Call, names: readonly Argument[], words: readonly Argument[]) => void

const writesAll: Operands = (call, names) => {
  for (const name of names) call.writes(name)
}

const readsAll: Operands = (call, names) => {
  for (const name of names) call.reads(name)
}

/** Words are certainly files only after `--` and with `--no-index`. */
const readsElsewhere: Operands = (call, names, words) => {
  if (words.some(({ value }) => value === "--no-index"))
    readsAll(call, call.args[0]?.value === "grep" ? names.slice(1) : names, words)
}

const OPERANDS: Readonly<Record<string, Operands>> = {
  init: (call, [directory]) => call.changes(directory),
  clone: (call, [source, directory]) => {
    if (source && !/^[^/]*:/.test(source.prefix) && source.value !== undefined) call.reads(source)
    call.changes(directory)
  },
  worktree: (call, [verb, ...names]) => {
    if (verb?.value === "add" && names[0]) call.changes(names[0])
    if (verb?.value === "move" || verb?.value === "remove") writesAll(call, names, [])
  },
  submodule: (call, [verb, , directory]) => {
    if (verb?.value === "add") call.changes(directory)
  },
  bundle: (call, [verb, file]) => {
    if (file) (verb?.value === "create" ? call.writes : call.reads)(file)
  },
  config: (call, _, words) => {
    const file = optionValue(words, /^(?:-f|--file(?:=|$))/)
    const isReading = words.some(({ value }) => /^(?:-l|--list|--get[a-z-]*|list|get)$/.test(value ?? ""))
    if (file) (isReading ? call.reads : call.writes)(file)
  },
  mv: writesAll,
  rm: (call, names, words) =>
    words.some(({ value }) => /^--(?:cached|dry-run)$|^-n$/.test(value ?? ""))
      ? undefined
      : writesAll(call, names, words),
  checkout: (call, _, words) => {
    const at = words.findIndex(({ value }) => value === "--")
    if (at >= 0) writesAll(call, words.slice(at + 1), words)
  },
  restore: (call, names, words) => {
    const isStaged = words.some(({ value }) => value === "--staged" || value === "-S")
    if (!isStaged || words.some(({ value }) => value === "--worktree" || value === "-W")) writesAll(call, names, words)
  },
  "checkout-index": (call, names, words) => {
    if (words.some(({ prefix }) => /^(?:-[a-z]*[az]|--(?:al|std))/.test(prefix)))
      call.unclear("git checkout-index writes files whose names are in the index.")
    writesAll(call, names, words)
  },
  "update-index": (call, _, words) => {
    for (const [index, word] of words.entries()) {
      if (/^--(?:index-i|std)/.test(word.prefix)) call.unclear("git update-index takes names from its input.")
      if (!word.prefix.startsWith("--cachei")) continue
      const entry = optionValue(words.slice(index), /^--cachei[a-z]*(?:=|$)/)
      const front = /^[^,]*,[^,]*,/.exec(entry?.prefix ?? "")?.[0]
      const file = entry && front !== undefined ? behind(entry, front.length) : words[index + 3]
      if (file) call.writes(file)
      else call.unclear("Which file git update-index changes is not known.")
    }
  },
  apply: readsAll,
  am: readsAll,
  "hash-object": readsAll,
  diff: readsElsewhere,
  grep: readsElsewhere,
}

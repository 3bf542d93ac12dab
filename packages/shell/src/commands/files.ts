import type { Call, Rule } from "../call.ts"
import { filePath } from "../redirects.ts"
import { type Argument, behind, HOLE, literal } from "../words/argument.ts"
import { ARCHIVERS, stripOf } from "./archives.ts"
import { operands, optionValue } from "./options.ts"

/** Every operand is a written file. */
const all: Rule = (call) => {
  for (const file of operands(call.args)) call.writes(file)
}

const TARGET = /^(?:-[^-Smog]*?t|--t[a-z-]*(?:=|$))/

function nameOf({ value }: Argument): string | undefined {
  return value?.replace(/\/+$/, "").split("/").at(-1)
}

/** If the target is a directory, the files in it are written. */
function intoTarget(call: Call, files: readonly Argument[], target: Argument): void {
  call.writes(target)
  const isTree = call.name === "mv" || call.args.some(({ prefix }) => /^(?:-[a-zA-Z]*[rRa]|--(?:r|a))/.test(prefix))
  for (const file of files) {
    const name = nameOf(file)
    if (file !== target) call.copies(file, target, isTree)
    if (file !== target && name && name !== "." && name !== "..") call.writes(inside(target, name))
  }
}

/** Returns the written file or directory: the last operand, unless an option names it. */
function targetOf(call: Call): Argument | undefined {
  const files = operands(call.args)
  return optionValue(call.args, TARGET) ?? (files.length < 2 ? undefined : files.at(-1))
}

const copy: Rule = (call) => {
  const files = operands(call.args)
  const target = targetOf(call)
  if (target) intoTarget(call, files, target)
  for (const file of files) if (file !== target) call.reads(file)
}

/** A file on another machine: a colon without a slash before it. */
function isRemote({ prefix }: Argument): boolean {
  return /^(?:[^/]*:|[a-z]+:\/\/)/.test(prefix)
}

/** A file of another machine by its name there, which it has here as well. */
function localName(file: Argument): Argument {
  return isRemote(file) && file.value !== undefined ? literal(file.value.replace(/^(?:[a-z]+:\/\/)?[^:]*:/, "")) : file
}

/** Options whose value is the next word. */
const REMOTE_VALUED: Readonly<Record<string, RegExp>> = {
  scp: /^-[346ABCpqRrTv]*[cDFiJloPSX]$/,
  rsync: /^(?:-[a-zA-Z]*[efMBT]|--(?:rsh|exclude|include|filter|port|timeout|bwlimit|compare-dest|link-dest))$/,
}

const synchronize: Rule = (call) => {
  const valued = REMOTE_VALUED[call.name]
  const isValue = (index: number) => valued?.test(call.args[index - 1]?.value ?? "") === true
  const files = operands(call.args.filter((_, index) => !isValue(index)))
  const target = files.length > 1 ? files.at(-1) : undefined
  if (target && !isRemote(target)) {
    intoTarget(call, files.map(localName), target)
    // Another machine tells which names it has.
    const isTree = call.name === "rsync" || call.args.some(({ prefix }) => /^-[a-zA-Z]*[rR]/.test(prefix))
    if (files.some((file) => file !== target && isRemote(file) && (isTree || /[*?[{$`]/.test(file.prefix))))
      call.unpacks({ kind: "other", directory: target })
  }
  for (const file of files) if (file !== target && !isRemote(file)) call.reads(file)
}

/** A moved file is removed from its old directory. */
const move: Rule = (call) => {
  copy(call)
  all(call)
}

const install: Rule = (call) => {
  if (call.args.some(({ prefix }) => /^(?:-[^-tSmog]*?d|--d)/.test(prefix))) all(call)
  else copy(call)
}

/** A link leads later writes to its target, which is relative to the link if it is symbolic. */
const link: Rule = (call) => {
  const files = operands(call.args)
  const target = targetOf(call)
  const [only] = files
  if (target) intoTarget(call, files, target)
  else if (only) call.writes(literal(nameOf(only) || "."))
  const directory =
    target?.value === undefined ? "." : files.includes(target) ? target.value.replace(/[^/]*$/, "") : target.value
  const isSymbolic = call.args.some(({ prefix }) => /^-[^-tS]*?s|^--s/.test(prefix))
  for (const file of files) {
    if (file === target) continue
    const path = filePath(file)
    call.reads(
      path !== undefined && isSymbolic && !/^[/~]/.test(path)
        ? literal(`${directory.replace(/\/+$/, "") || "."}/${path}`)
        : file,
    )
  }
}

/** The first operand is not a file. */
const allButFirst: Rule = (call) => {
  for (const file of operands(call.args).slice(1)) call.writes(file)
}

/** The second operand is written. Numbers are values of options. */
const second: Rule = (call) => {
  const [, file] = operands(call.args).filter(({ value }) => !/^[-+]?\d/.test(value ?? ""))
  if (file) call.writes(file)
}

/** Files whose names begin with a given word, or are created in the working directory. */
const pieces: Rule = (call) => {
  const named = call.name === "csplit" ? optionValue(call.args, /^(?:-[^-bn]*?f|--prefix=?)/) : undefined
  const [source, prefix] = operands(call.args).filter(({ value }) => !/^\d/.test(value ?? ""))
  if (source) call.reads(source)
  const file = call.name === "csplit" ? named : prefix
  if (file) call.writes(file)
  else call.changes()
}

function inside(target: Argument, name: string): Argument {
  const end = `/${name}`
  const skeleton = target.skeleton.replace(/\/+$/, "") + end
  if (target.value === undefined) return { ...target, text: target.text + end, skeleton, isSplit: false }
  return { ...literal(skeleton), text: target.text.startsWith("~") ? skeleton : literal(skeleton).text }
}

/** Files that options name. */
function options(pattern: RegExp): Rule {
  return (call: Call) => {
    for (const [index, word] of call.args.entries()) {
      const file = pattern.test(word.prefix) ? optionValue(call.args.slice(index), pattern) : undefined
      if (file && file.value !== "-") call.writes(file)
    }
  }
}

const CURL =
  /^(?:-[^-AbCcdDeEFhHKmPQrTtuUwxXyYz]*?[oDc]|--(?:output|dump-header|cookie-jar|trace(?:-ascii)?|stderr|libcurl|hsts|etag-save)(?:=|$))/

const curl: Rule = (call) => {
  options(CURL)(call)
  for (const [index, word] of call.args.entries()) {
    const sent = /^(?:-[a-zA-Z]*[dFb]|--(?:data[a-z-]*|json|form|cookie|url-query)(?:=|$))/.test(word.prefix)
      ? optionValue([word, ...call.args.slice(index + 1, index + 2)], /^(?:-[a-zA-Z]*?[dFb]|--[a-z-]+(?:=|$))/)
      : undefined
    const front = /^(?:@|[^=]*=[@<])/.exec(sent?.prefix ?? "")?.[0]
    if (sent && front !== undefined && !/^-?$/.test(sent.value?.slice(front.length) ?? "x"))
      call.reads(behind(sent, front.length))
    const address = /^file:\/\/(?:localhost)?/i.exec(word.prefix)?.[0]
    if (address !== undefined) call.reads(behind(word, address.length))
  }
  const directory = optionValue(call.args, /^--output-dir(?:=|$)/)
  const has = (pattern: RegExp) => call.args.some(({ prefix }) => pattern.test(prefix))
  const keepsName = has(/^(?:-[^-AbCcdDeEFhHKmoPQrTtuUwxXyYz]*?O|--remote-name)/)
  // The server says the name.
  if (keepsName && has(/^(?:-[^-AbCcdDeEFhHKmoPQrTtuUwxXyYz]*?J|--remote-header-name)/))
    call.unpacks({ kind: "other", directory })
  else if (keepsName) noteDownloads(call, directory)
  if (directory) call.changes(directory)
  else if (keepsName) call.changes()
}

/** Notes the files that have the names of addresses. */
function noteDownloads(call: Call, directory: Argument | undefined): void {
  for (const { skeleton, text, holes } of operands(call.args)) {
    // A query without quotes is a pattern of file names, too.
    const isWritten = holes.length > 0 && holes.every(({ type }) => type === "pattern")
    const [path = ""] = (isWritten ? text.replaceAll(/["'\\]/g, "") : skeleton).split(/[?#]/, 1)
    const name = path.slice(path.lastIndexOf("/") + 1)
    if (name !== "" && !name.includes(HOLE)) call.writes(inside(directory ?? literal("."), name))
    else if (name !== "") call.unpacks({ kind: "other", directory })
  }
}

const wget: Rule = (call) => {
  options(/^(?:-[^-aAeBDiIlPQRtTUwX]*?[Oo]|-a|--(?:output-document|output-file|append-output)(?:=|$))/)(call)
  const directory = optionValue(call.args, /^(?:-[^-aAeBDiIlOoQRtTUwX]*?P|--directory-prefix(?:=|$))/)
  const has = (pattern: RegExp) => call.args.some(({ prefix }) => pattern.test(prefix))
  if (has(/^(?:-[a-zA-Z]*?O|--output-document|--spider|--version|--help)/)) return
  // Pages, lists and servers say the names.
  if (has(/^(?:-[a-zA-Z]*?[rmpi]|--(?:recursive|mirror|page-requisites|input-file|content-disposition|trust-server))/))
    call.unpacks({ kind: "other", directory })
  else noteDownloads(call, directory)
  call.changes(directory)
}

const patch: Rule = (call) => {
  if (call.args.some(({ value }) => value === "--dry-run")) return
  const directory = optionValue(call.args, /^(?:-[NRbEfstuvcenl]*?d|--directory(?:=|$))/)
  call.restores(literal("/"), "replace")
  options(/^(?:-[NRbEfstuvcenl]*?[or]|--(?:output|reject-file)(?:=|$))/)(call)
  const isValue = (index: number) => /^-[NRbEfstuvcenlTZ]*[dioprFYzBDVg]$/.test(call.args[index - 1]?.value ?? "")
  const [file] = operands(call.args.filter((_, index) => !isValue(index)))
  if (file && !directory) call.writes(file)
  const output = optionValue(call.args, /^(?:-[NRbEfstuvcenl]*?o|--output(?:=|$))/)
  // Its first word, or an option, names the only file that it changes.
  if (!file && !output) notePatch(call, directory)
  call.changes(directory)
}

/** Notes the files that the patch names. */
function notePatch(call: Call, directory: Argument | undefined): void {
  const source = optionValue(call.args, /^(?:-[NRbEfstuvcenl]*?i|--input(?:=|$))/)
  const input = call.state.stdin
  const strip = stripOf(optionValue(call.args, /^(?:-[NRbEfstuvcenl]*?p|--strip(?:=|$))/))
  // It changes to the directory before it opens the patch.
  const there = directory ? call.at(directory) : call
  there.unpacks({ kind: "patch", source, input, text: source || input ? undefined : call.input, strip })
}

const temporary: Rule = (call) => {
  const directory = optionValue(call.args, /^(?:-[duqt]*?p|--tmpdir=)/)
  if (directory) call.changes(directory)
  else for (const file of operands(call.args)) call.writes(file)
}

/** An interpreter that edits its files in place, or reads their lines. */
const lines: Rule = (call) => {
  const isEditing = call.args.some(({ prefix }) => /^-[\dacflnpsStTuUvwWX]*?i/.test(prefix))
  const isReading = call.args.some(({ prefix }) => /^-[\dacflsStTuUvwWX]*?[np]/.test(prefix))
  if (!isEditing && !isReading) return
  const isCode = ({ prefix }: Argument) => /^-[\dacflnpsStTuUvwWXi.]*?[eE]$/.test(prefix)
  const files = call.args.filter((word, index) => {
    const before = call.args[index - 1]
    return !word.prefix.startsWith("-") && !(before && isCode(before))
  })
  for (const file of call.args.some(isCode) ? files : files.slice(1)) (isEditing ? call.writes : call.reads)(file)
}

const first: Rule = (call) => {
  for (const file of operands(call.args).slice(0, 1)) call.writes(file)
}

const lock: Rule = (call) => {
  const file = operands(call.args).find(({ value }) => !/^[\d.]+$/.test(value ?? ""))
  if (file) call.writes(file)
}

const typescript: Rule = (call) => {
  const script = optionValue(call.args, /^(?:-[aefqO]*?c|--command(?:=|$))/)
  const files = operands(call.args).filter((word) => word !== script)
  if (files.length === 0) call.changes()
  for (const file of files) call.writes(file)
}

/** `make` reads its instructions in another directory. */
const make: Rule = (call) => {
  const directory = optionValue(call.args, /^(?:-[a-zA-Z]*?C|--directory(?:=|$))/)
  if (directory) call.at(directory)
}

/** Commands that write the files in their words, or in a given directory. */
export const WRITERS: Readonly<Record<string, Rule>> = {
  ...ARCHIVERS,
  tee: all,
  touch: all,
  truncate: all,
  fallocate: all,
  mkfifo: all,
  mkdir: all,
  rm: all,
  rmdir: all,
  unlink: all,
  shred: all,
  cp: copy,
  mv: move,
  ln: link,
  install,
  rsync: synchronize,
  scp: synchronize,
  dd: (call) => {
    options(/^of=/)(call)
    const input = optionValue(call.args, /^if=/)
    if (input) call.reads(input)
  },
  sort: options(/^(?:-[^-ktST]*?o|--o[a-z]*(?:=|$))/),
  uniq: second,
  xxd: second,
  split: pieces,
  csplit: pieces,
  curl,
  wget,
  chmod: allButFirst,
  chown: allButFirst,
  chgrp: allButFirst,
  patch,
  mktemp: temporary,
  make,
  gmake: make,
  mknod: first,
  perl: lines,
  ruby: lines,
  script: typescript,
  flock: lock,
  time: options(/^(?:-[apqvV]*?o|--output(?:=|$))/),
  strace: options(/^(?:-[fFcCdiknqrtTvVwxyYzZhD]*?o|--output(?:=|$))/),
  iconv: options(/^(?:-o|--output(?:=|$))/),
  openssl: options(/^-out$/),
}

import type { Rule } from "../call.ts"
import { type Argument, literal } from "../words/argument.ts"
import { operands, optionValue } from "./options.ts"

/** Packs or unpacks each file by itself. */
const compressor: Rule = (call) => {
  const leaves = /^(?:-[a-zA-Z\d]*?[cltV]|--(?:stdout|to-stdout|list|test|version|help))/
  const note = call.args.some(({ prefix }) => leaves.test(prefix)) ? call.reads : call.writes
  for (const file of operands(call.args)) note(file)
}

/** Option letters before `f` that take no value. */
const TAR = /^-[^-CKHLNTVXb]*?f|^--file(?:=|$)/

const tar: Rule = (call) => {
  const [first, ...others] = call.args
  if (!first) return
  // The old form of the options has no dash.
  const isOld = /^[a-zA-Z]+$/.test(first.value ?? "")
  const args = isOld ? [{ ...first, prefix: `-${first.prefix}`, value: `-${first.value}` }, ...others] : call.args
  const does = (letters: string, names: string) =>
    args.some(({ prefix }) => new RegExp(`^-[^-CKHLNTVXbf]*?[${letters}]|^--(?:${names})`).test(prefix))
  const directory = optionValue(args, /^-C|^--directory(?:=|$)/)
  const archive =
    isOld && args[0]?.prefix.includes("f") ? args[1 + lettersBefore(args[0].prefix)] : optionValue(args, TAR)
  if (does("x", "extract|get") && !does("O", "to-stdout")) {
    const plain = args.filter((word) => word !== archive && word !== directory).every(isPlainTar)
    // A colon names another machine.
    const isPlain = plain && !archive?.value?.includes(":")
    const isInput = archive === undefined || archive.value === "-"
    const from = isInput ? { input: call.state.stdin } : { source: archive }
    const strip = stripOf(optionValue(args, /^--strip[a-z-]*(?:=|$)/)) ?? 0
    call.unpacks({ kind: "tar", ...(isPlain && from), directory, strip })
    call.changes(directory)
  }
  if (isOld && /[TX]/.test(args[0]?.prefix ?? "")) call.unclear("tar takes names of files from a list.")
  if (!does("cruA", "create|append|update|concatenate|catenate|delete")) {
    if (archive && archive.value !== "-") call.reads(archive)
    return
  }
  if (archive && archive.value !== "-") call.writes(archive)
  if (directory) call.reads(directory)
  const isFollowed = does("h", "dereference")
  for (const file of operands(others)) {
    if (file === archive || file === directory) continue
    call.reads(file)
    if (isFollowed) call.follows(file)
  }
}

/** Words that leave the names of an archive as they are. */
function isPlainTar({ value, prefix }: Argument): boolean {
  if (!prefix.startsWith("-")) return value !== undefined
  return (
    /^-[xzjJavpkmofCt]+$/.test(value ?? "") ||
    /^--(?:extract|get|file|directory|gzip|gunzip|ungzip|zstd|auto-compress|verbose|strip(?:-components)?|no-same-owner|no-same-permissions|same-permissions|preserve-permissions|overwrite|skip-old-files|keep-old-files|keep-newer-files|exclude|touch|totals|warning|no-xattrs|no-acls|no-selinux|wildcards|no-wildcards|no-anchored|anchored)(?:=|$)/.test(
      prefix,
    )
  )
}

/** The number in a word. */
export function stripOf(word: Argument | undefined): number | undefined {
  return word?.value !== undefined && /^\d{1,3}$/.test(word.value) ? Number(word.value) : undefined
}

/** Counts the letters of the old form that take their value before `f` does. */
function lettersBefore(letters: string): number {
  return letters.slice(0, letters.indexOf("f")).replaceAll(/[^CKHLNTVXbg]/g, "").length
}

const unzip: Rule = (call) => {
  const [archive] = operands(call.args)
  if (archive) call.reads(archive)
  if (call.args.some(({ prefix }) => /^-[a-zA-Z]*?[lptvZz]/.test(prefix))) return
  const directory = optionValue(call.args, /^-[jnoqaCLUDX]*?d/)
  const hasPlainOptions = call.args.every(
    ({ value, prefix }) => !prefix.startsWith("-") || /^-[nouqaCLUDXdx]+$/.test(value ?? ""),
  )
  // It reads the name as a pattern, and puts the usual end to it.
  const isPlain = hasPlainOptions && !/[*?[\]\\]/.test(archive?.value ?? "")
  const sources = isPlain && archive ? [archive, withEnd(archive, ".zip"), withEnd(archive, ".ZIP")] : [undefined]
  for (const source of sources) call.unpacks({ kind: "zip", source, directory, strip: 0 })
  call.changes(directory)
}

function withEnd(word: Argument, end: string): Argument {
  const more = { text: word.text + end, skeleton: word.skeleton + end }
  return word.value === undefined ? { ...word, ...more } : literal(word.value + end)
}

/** The first operand is the archive. */
const zip: Rule = (call) => {
  const [archive, ...files] = operands(call.args)
  if (archive && archive.value !== "-") call.writes(archive)
  const isFollowed = call.args.some(({ prefix }) => /^-[a-zA-Z]*r|^--recurse/.test(prefix))
  for (const file of files) {
    call.reads(file)
    if (isFollowed) call.follows(file)
  }
}

/** Operands: letters for the operation, the archive, the files. */
const ar: Rule = (call) => {
  const [letters, ...others] = call.args.filter(({ prefix }) => !prefix.startsWith("--"))
  const does = letters?.value ?? "r"
  const [archive, ...files] = /[abi]/.test(does.slice(1)) ? others.slice(1) : others
  const directory = optionValue(call.args, /^--output(?:=|$)/)
  if (does.includes("x") && files.length === 0) call.unpacks({ kind: "other", directory })
  if (directory || does.includes("x")) call.changes(directory)
  if (does.includes("x")) for (const file of files) if (!directory) call.writes(file)
  if (archive) (/[tpx]/.test(does) ? call.reads : call.writes)(archive)
  if (/[rq]/.test(does)) for (const file of files) call.reads(file)
}

const sevenZip: Rule = (call) => {
  const [letter, archive, ...files] = operands(call.args)
  const directory = optionValue(call.args, /^-o/)
  if (/^[ex]$/.test(letter?.value ?? "x") && !call.args.some(({ prefix }) => prefix.startsWith("-so"))) {
    call.unpacks({ kind: "other", directory })
    call.changes(directory)
  }
  if (archive) (/^[adru]/.test(letter?.value ?? "a") ? call.writes : call.reads)(archive)
  if (files.some(({ prefix }) => prefix.startsWith("@")) || call.args.some(({ prefix }) => /^-[ix]r?@/.test(prefix)))
    call.unclear(`${call.name} takes names of files from a list.`)
  for (const file of files) {
    call.reads(file)
    call.follows(file)
  }
}

const cpio: Rule = (call) => {
  const directory = optionValue(call.args, /^(?:-[^-CEFHIMORW]*?D|--directory(?:=|$))/)
  const archive = optionValue(call.args, /^(?:-[^-CEHIMORWD]*?[FO]|--file(?:=|$))/)
  if (archive) call.writes(archive)
  call.changes(directory)
  for (const file of operands(call.args)) if (file !== directory && file !== archive) call.writes(file)
  const isListing = call.args.some(({ prefix }) => /^(?:-[^-CEFHIMORWD]*t|--list$)/.test(prefix))
  if (!isListing && call.args.some(({ prefix }) => /^(?:-[^-CEFHIMORWD]*i|--extract$)/.test(prefix)))
    call.unpacks({ kind: "other", directory })
  if (call.args.some(({ prefix }) => /^-[a-zA-Z]*[op]|^--(?:create|pass-through)/.test(prefix)))
    call.unclear("cpio takes names of files from its input.")
}

/** Programs that unpack: letters or options that do not, and the option with the directory. */
function unpacker(leaves: RegExp, target?: RegExp): Rule {
  return (call) => {
    const [first] = call.args
    if (!first || leaves.test(first.prefix)) return
    const directory = target && optionValue(call.args, target)
    call.changes(directory)
    call.unpacks({ kind: "other", directory })
  }
}

const names = "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 compress uncompress pigz".split(" ")

/** Programs that pack and unpack files. */
export const ARCHIVERS: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(names.map((name) => [name, compressor])),
  tar,
  bsdtar: tar,
  unzip,
  zip,
  ar,
  cpio,
  ...Object.fromEntries(["7z", "7za", "7zr", "7zz"].map((name) => [name, sevenZip])),
  unrar: unpacker(/^(?:[ltvp]|-)/),
  unar: unpacker(/^-[hv]/, /^(?:-o|-output-directory$)/),
  jar: unpacker(/^-{0,2}(?:[ctuid]|create|list|update|help|version)/, /^(?:-C$|--dir(?:=|$))/),
  pax: unpacker(/^-(?!\w*r)/),
}

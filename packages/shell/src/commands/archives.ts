import type { Rule } from "../call.ts"
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
  if (does("x", "extract|get")) call.changes(directory)
  const archive =
    isOld && args[0]?.prefix.includes("f") ? args[1 + lettersBefore(args[0].prefix)] : optionValue(args, TAR)
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

/** Counts the letters of the old form that take their value before `f` does. */
function lettersBefore(letters: string): number {
  return letters.slice(0, letters.indexOf("f")).replaceAll(/[^CKHLNTVXbg]/g, "").length
}

const unzip: Rule = (call) => {
  const [archive] = operands(call.args)
  if (archive) call.reads(archive)
  if (call.args.some(({ prefix }) => /^-[a-zA-Z]*?[lptvZz]/.test(prefix))) return
  call.changes(optionValue(call.args, /^-[jnoqaCLUDX]*?d/))
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
  if (directory || does.includes("x")) call.changes(directory)
  if (archive) (/[tpx]/.test(does) ? call.reads : call.writes)(archive)
  if (/[rq]/.test(does)) for (const file of files) call.reads(file)
}

const sevenZip: Rule = (call) => {
  const [letter, archive, ...files] = operands(call.args)
  const directory = optionValue(call.args, /^-o/)
  if (/^[ex]$/.test(letter?.value ?? "x")) call.changes(directory)
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
  if (call.args.some(({ prefix }) => /^-[a-zA-Z]*[op]|^--(?:create|pass-through)/.test(prefix)))
    call.unclear("cpio takes names of files from its input.")
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
}

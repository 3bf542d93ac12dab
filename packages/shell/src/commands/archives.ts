import type { Call, Rule } from "../call.ts"
import { operands, optionValue } from "./options.ts"

/** Of files that are packed or unpacked each by itself. */
const compressor: Rule = (call) => {
  const leaves = /^(?:-[a-zA-Z\d]*?[cltV]|--(?:stdout|to-stdout|list|test|version|help))/
  if (call.args.some(({ prefix }) => leaves.test(prefix))) return
  for (const file of operands(call.args)) call.writes(file)
}

/** Letters that take a value, which stands behind them or in the next word. */
const TAR = /^-[^-CKHLNTVXb]*?f|^--file(?:=|$)/

const tar: Rule = (call) => {
  const [first, ...others] = call.args
  if (!first) return
  // The older form of the options has no dash.
  const isOld = /^[a-zA-Z]+$/.test(first.value ?? "")
  const args = isOld ? [{ ...first, prefix: `-${first.prefix}`, value: `-${first.value}` }, ...others] : call.args
  const does = (letters: string, names: string) =>
    args.some(({ prefix }) => new RegExp(`^-[^-CKHLNTVXbf]*?[${letters}]|^--(?:${names})`).test(prefix))
  const directory = optionValue(args, /^-C|^--directory(?:=|$)/)
  if (does("x", "extract|get")) call.changes(directory)
  if (!does("cruA", "create|append|update|concatenate|catenate|delete")) return
  const archive = isOld && args[0]?.prefix.includes("f") ? args[1] : optionValue(args, TAR)
  if (archive && archive.value !== "-") call.writes(archive)
  if (directory) call.reads(directory)
  for (const file of operands(others)) if (file !== archive && file !== directory) call.reads(file)
}

const unzip: Rule = (call) => {
  if (call.args.some(({ prefix }) => /^-[a-zA-Z]*?[lptvZz]/.test(prefix))) return
  call.changes(optionValue(call.args, /^-[jnoqaCLUDX]*?d/))
}

/** The first operand is the archive. */
function first(call: Call): void {
  const [archive] = operands(call.args)
  if (archive && archive.value !== "-") call.writes(archive)
}

const names = "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 compress uncompress pigz".split(" ")

/** Programs that pack and unpack files. */
export const ARCHIVERS: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(names.map((name) => [name, compressor])),
  tar,
  bsdtar: tar,
  unzip,
  zip: first,
}

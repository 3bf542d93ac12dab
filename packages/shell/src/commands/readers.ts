import type { Rule } from "../call.ts"
import { type Argument, literal } from "../words/argument.ts"

interface Reader {
  /** Letters of options whose value is the next word if none is attached. */
  readonly valued?: string
  /** The first operand is not a file, unless one of these options replaces it. */
  readonly pattern?: RegExp
  /** With one of these options it follows links below a directory. */
  readonly follows?: RegExp
}

const PLAIN: Reader = {}
const GREP: Reader = {
  valued: "ABCmefdD",
  pattern: /^(?:-[a-zA-Z]*?[ef]|--(?:regexp|file)(?:=|$))/,
  follows: /^(?:-[^-ABCmefdD]*?R|--dereference-recursive$)/,
}

/** Programs that show their operands, which are files and directories. */
const READERS_OF: Readonly<Record<string, Reader>> = {
  cat: PLAIN,
  tac: PLAIN,
  nl: { valued: "bdfhilnsvw" },
  head: { valued: "nc" },
  tail: { valued: "ncs" },
  less: { valued: "bhjkoOptTxyz" },
  more: { valued: "n" },
  wc: PLAIN,
  ls: { valued: "ITw", follows: /^-[a-zA-Z]*L[a-zA-Z]*R|^-[a-zA-Z]*R[a-zA-Z]*L/ },
  tree: { valued: "LIPo", follows: /^-[a-zA-Z]*l/ },
  du: { valued: "dBtX", follows: /^(?:-[^-dBtX]*?L|--dereference$)/ },
  stat: { valued: "cf" },
  file: { valued: "Fefm" },
  strings: { valued: "nteTU" },
  od: { valued: "ANjtwS" },
  hexdump: { valued: "nsef" },
  base64: { valued: "w" },
  md5sum: PLAIN,
  sha1sum: PLAIN,
  sha256sum: PLAIN,
  cut: { valued: "bcdf" },
  sort: { valued: "kotST" },
  diff: { valued: "UCxIWX", follows: /^(?:-[^-UCxIW]*?r|--recursive$)/ },
  cmp: { valued: "ni" },
  comm: PLAIN,
  paste: { valued: "d" },
  uniq: { valued: "fsw" },
  xxd: { valued: "cglnos" },
  fold: { valued: "w" },
  expand: { valued: "t" },
  rev: PLAIN,
  pr: { valued: "DhlNoSwW" },
  join: { valued: "12aeijotv" },
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    valued: "ABCmefdgtTjErM",
    pattern: /^(?:-[a-zA-Z]*?[ef]|--(?:regexp|file|files|type-list)(?:=|$))/,
    follows: /^(?:-[^-ABCmefdgtTjErM]*?L|--follow$)/,
  },
  zgrep: GREP,
  bat: { valued: "lHrmp" },
  batcat: { valued: "lHrmp" },
  ...Object.fromEntries(
    "zcat bzcat xzcat zstdcat zless column shuf sum cksum b2sum sha224sum sha384sum sha512sum tsort colordiff sdiff hexyl"
      .split(" ")
      .map((name) => [name, PLAIN]),
  ),
  iconv: { valued: "ftoc" },
  fmt: { valued: "wgp" },
}

/** Returns the words that are neither options nor their values. */
function filesOf(args: readonly Argument[], { valued = "", pattern }: Reader): readonly Argument[] {
  const files: Argument[] = []
  let isEnd = false
  for (let index = 0; index < args.length; index++) {
    const word = args[index]
    if (!word) continue
    if (isEnd || !word.prefix.startsWith("-") || word.value === "-") files.push(word)
    else if (word.value === "--") isEnd = true
    else if (/^-[a-zA-Z]+$/.test(word.prefix) && valued.includes(word.prefix.at(-1) ?? "-")) index++
  }
  return pattern && !args.some(({ prefix }) => pattern.test(prefix)) ? files.slice(1) : files
}

function reader(kind: Reader): Rule {
  return (call) => {
    const isFollowing = call.args.some(({ prefix }) => kind.follows?.test(prefix))
    const files = filesOf(call.args, kind)
    for (const file of files) {
      call.reads(file)
      if (isFollowing) call.follows(file)
    }
    if (isFollowing && files.length === 0) call.follows(literal("."))
  }
}

/** `jq`: the first operand is a filter, unless an option names a file for it; the others are files to read. */
const jq: Rule = (call) => {
  const files: Argument[] = []
  let isGiven = false
  for (let index = 0; index < call.args.length; index++) {
    const word = call.args[index]
    if (!word) continue
    const option = word.value ?? word.prefix
    if (/^--(?:args|jsonargs)$/.test(option)) break
    if (/^--(?:arg|argjson)$/.test(option)) index += 2
    else if (/^--(?:slurpfile|rawfile)$/.test(option)) {
      const file = call.args[index + 2]
      if (file) call.reads(file)
      index += 2
    } else if (/^(?:-[a-zA-Z]*[fL]|--(?:from-file|library-path))$/.test(option)) {
      const file = call.args[++index]
      if (file) call.reads(file)
      isGiven ||= !option.endsWith("L") && !option.endsWith("path")
    } else if (option === "--indent") index++
    else if (!option.startsWith("-")) files.push(word)
  }
  for (const file of isGiven ? files : files.slice(1)) call.reads(file)
}

/** Records the files that are shown. */
export const READERS: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(Object.entries(READERS_OF).map(([name, kind]) => [name, reader(kind)])),
  jq,
}

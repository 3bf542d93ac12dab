import type { Rule } from "../call.ts"
import type { Argument } from "../words/argument.ts"

interface Reader {
  /** Letters of options whose value is the next word where nothing is attached. */
  readonly valued?: string
  /** The first operand is no file, unless one of these options stands for it. */
  readonly pattern?: RegExp
}

const PLAIN: Reader = {}
const GREP: Reader = { valued: "ABCmefdD", pattern: /^(?:-[a-zA-Z]*?[ef]|--(?:regexp|file)(?:=|$))/ }

/** Programs whose operands are files and directories that they show. */
const READERS_OF: Readonly<Record<string, Reader>> = {
  cat: PLAIN,
  tac: PLAIN,
  nl: { valued: "bdfhilnsvw" },
  head: { valued: "nc" },
  tail: { valued: "ncs" },
  less: { valued: "bhjkoOptTxyz" },
  more: { valued: "n" },
  wc: PLAIN,
  ls: { valued: "ITw" },
  tree: { valued: "LIPo" },
  du: { valued: "dBtX" },
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
  diff: { valued: "UCxIW" },
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
  rg: { valued: "ABCmefdgtTjErM", pattern: /^(?:-[a-zA-Z]*?[ef]|--(?:regexp|file|files|type-list)(?:=|$))/ },
}

/** The words that are neither options nor values of those. */
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
    for (const file of filesOf(call.args, kind)) call.reads(file)
  }
}

/** Notes the files that are shown, where they are literal. */
export const READERS: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.entries(READERS_OF).map(([name, kind]) => [name, reader(kind)]),
)

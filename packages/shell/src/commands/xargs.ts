import type { Rule } from "../call.ts"
import { type Argument, HOLE, unknown } from "../words/argument.ts"
import { excerpt } from "../words/quote.ts"
import { WRITERS } from "./files.ts"
import { readOptions } from "./options.ts"
import { READERS } from "./readers.ts"

/** What stands for the words that a command gets from elsewhere while it runs. */
const MORE: Argument = { ...unknown("…"), isOutput: true }

/** `xargs`: its command gets more words from the input. */
export const xargs: Rule = (call) => {
  const { options, rest, problem } = readOptions("xargs", call.args, {
    flags: "0oprtx",
    valued: "adEIJLnPRsS",
    attached: "eil",
    long: "null open-tty interactive no-run-if-empty verbose exit show-limits eof replace max-lines",
    longValued: "arg-file delimiter eof replace max-lines max-args max-procs max-chars process-slot-var",
  })
  if (problem !== undefined) return call.unclear(problem)
  const replace = options.findLast(({ name }) => ["I", "J", "i", "replace"].includes(name))
  const mark = replace && (replace.value ? replace.value.value : "{}")
  if (replace && (mark === undefined || mark === "")) return call.unclear("What xargs replaces is not literal.")
  if (rest.length === 0) return
  const { source } = call.place
  const from = call.notes.redirects.length
  call.run(mark === undefined ? [...rest, MORE] : rest.map((word) => fromInput(word, mark)))
  const takesFiles = TAKES_FILES.has(rest[0]?.value ?? "") || call.notes.redirects.length > from
  if (takesFiles && source !== undefined && !NAMES_FILES.test(source))
    call.unclear(`Which files ${excerpt(rest[0]?.text ?? "")} is given by ${excerpt(source)} is not known.`)
}

/** Programs whose output is names of what is there, or literal words of theirs. */
const NAMES_FILES =
  /^(?:find|fd|fdfind|git|grep|egrep|fgrep|rg|ag|ack|ls|tree|echo|printf|seq|ps|pgrep|lsof|docker|kubectl|npm|pnpm)$/

const TAKES_FILES: ReadonlySet<string> = new Set([...Object.keys(READERS), ...Object.keys(WRITERS), "sed", "awk"])

function fromInput(word: Argument, mark: string): Argument {
  const found = withHoles(word, mark)
  return found === word ? word : { ...found, isOutput: true }
}

/** The word as it is where something else comes in the place of the mark. */
export function withHoles(word: Argument, mark: string): Argument {
  if (!word.skeleton.includes(mark)) return word
  const { value: _, ...open } = word
  const [prefix = ""] = word.prefix.split(mark, 1)
  return {
    ...open,
    text: word.text.replaceAll(mark, "{}"),
    prefix,
    skeleton: word.skeleton.replaceAll(mark, HOLE),
    isSplit: word.isSplit,
  }
}

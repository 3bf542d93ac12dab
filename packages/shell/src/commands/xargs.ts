import type { Rule } from "../call.ts"
import { type Argument, HOLE, unknown } from "../words/argument.ts"
import { words } from "../fed.ts"
import { type Hole, type Names, OPEN } from "../words/hole.ts"
import { readOptions } from "./options.ts"

/** `xargs`: its command gets further words from the input. */
export const xargs: Rule = (call) => {
  const { options, rest, problem } = readOptions("xargs", call.args, {
    flags: "0oprtx",
    valued: "adEIJLnPRsS",
    attached: "eil",
    long: "null open-tty interactive no-run-if-empty verbose exit show-limits eof replace max-lines",
    longValued: "arg-file delimiter eof replace max-lines max-args max-procs max-chars process-slot-var",
  })
  if (problem !== undefined) return call.unclear(problem)
  const file = options.find(({ name }) => name === "a" || name === "arg-file")?.value
  if (file) call.reads(file)
  const replace = options.findLast(({ name }) => ["I", "J", "i", "replace"].includes(name))
  const mark = replace && (replace.value ? replace.value.value : "{}")
  if (replace && (mark === undefined || mark === "")) return call.unclear("What xargs replaces is not literal.")
  if (rest.length === 0) return
  const isSplit = options.some(({ name }) => /^(?:d|delimiter|a|arg-file|E|e|eof)$/.test(name))
  const names = isSplit ? OPEN : unquoted(call.state.feed ?? OPEN)
  const hole = { type: "names", names } as const
  // Stands for the words from the input.
  const more = { ...unknown("…", "", hole), isOutput: true }
  call.run(mark === undefined ? [...rest, more] : rest.map((word) => fromInput(word, mark, hole)))
}

/** `xargs` splits its input and removes quotes. */
function unquoted(feed: Names): Names {
  return feed.names.some((name) => /["'\\]/.test(name)) ? OPEN : words(feed)
}

function fromInput(word: Argument, mark: string, hole: Hole): Argument {
  const found = withHoles(word, mark, hole)
  return found === word ? word : { ...found, isOutput: true }
}

/** Replaces the mark in a word by an expansion. */
export function withHoles(word: Argument, mark: string, hole: Hole = { type: "open" }): Argument {
  if (!word.skeleton.includes(mark)) return word
  const { value: _, ...open } = word
  const [prefix = ""] = word.prefix.split(mark, 1)
  const [first = "", ...others] = word.skeleton.split(HOLE)
  const marks = (piece: string) => Array.from({ length: piece.split(mark).length - 1 }, () => hole)
  return {
    ...open,
    text: word.text.replaceAll(mark, "{}"),
    prefix,
    skeleton: word.skeleton.replaceAll(mark, HOLE),
    holes: [...marks(first), ...others.flatMap((piece, index) => [word.holes[index] ?? hole, ...marks(piece)])],
  }
}

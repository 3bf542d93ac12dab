import { isRequest } from "../compaction/arrange.ts"
import { keptRequests } from "../compaction/state.ts"
import type { MessageWithParts } from "../../session/message.ts"

/** The most repetitions that a request is taken to ask for: what the guard reads shows no more. */
const MOST_TIMES = 59

/** What "again and again" is taken for. */
const MANY_TIMES = 19

const NUMBERS = "two three four five six seven eight nine ten eleven twelve".split(" ")
const NUMBER = `(?<number>\\d{1,6}|${NUMBERS.join("|")}|twenty|a dozen)`
const TIMES = "(?:more |further )?(?:times|x|×|runs|iterations|rounds|mal|fois|veces)(?![a-z])"
const WORK =
  "(?:re-?)?(?:run|execute|repeat|retry|try|start|launch|call|invoke|perform|do|test|check|measure|benchmark|send)"
/** What stands between the two: no end of a sentence, and no word that tells of something, as in "it failed 100 times". */
const TELLING = "\\b(?:failed|fails|occurred|happened|crashed|was|were|has|had|been)\\b"
const BETWEEN = `(?:(?!${TELLING}|[.!?]\\s|\\n).){0,120}?`

const COUNTED = [
  new RegExp(`\\b${WORK}(?:s|ing)?\\b${BETWEEN}\\b${NUMBER} ?${TIMES}`, "i"),
  new RegExp(`\\b${NUMBER} ?${TIMES}${BETWEEN}\\b${WORK}\\b`, "i"),
]
const UNCOUNTED = [
  /\b(?:over and over|again and again|repeatedly|in a loop)\b/i,
  /\bkeep (?:on )?(?:re-?)?(?:running|executing|checking|polling|repeating)\b/i,
  new RegExp(
    `\\b${WORK}\\b[^.!?\\n]{0,120}\\buntil\\b(?:(?!\\b(?:no|not|never|stops?)\\b)[^.!?\\n]){0,60}\\b(?:fail|crash|hang|happen|break)s?\\b`,
    "i",
  ),
]

/**
 * How often the open request asks for something to be done: 5 for "run the tests five times", 0 if it names no number. So
 * often the same calls with the same results are what the user wants.
 */
export function requestedTimes(messages: readonly MessageWithParts[]): number {
  return timesIn(openRequest(messages))
}

export function timesIn(text: string): number {
  for (const pattern of COUNTED) {
    const number = pattern.exec(text)?.groups?.["number"]?.toLowerCase()
    if (number !== undefined) return Math.min(MOST_TIMES, toNumber(number))
  }
  return UNCOUNTED.some((pattern) => pattern.test(text)) ? MANY_TIMES : 0
}

function toNumber(word: string): number {
  if (word === "twenty") return 20
  if (word === "a dozen") return 12
  const at = NUMBERS.indexOf(word)
  return at < 0 ? Number(word) : at + 2
}

/** Characters of a request that are read: what comes behind is mostly pasted. */
const LONGEST_REQUEST = 20_000

/** The newest request of a person; of one that a compaction has taken out of the messages, what it has kept beside them. */
function openRequest(messages: readonly MessageWithParts[]): string {
  const newest = messages.findLast((message) => isRequest(message))
  const texts = newest?.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  return (texts ?? keptRequests(messages).slice(-1)).join("\n").slice(0, LONGEST_REQUEST)
}

import { isRequest } from "../record/request-order.ts"
import { keptRequests } from "../record/compaction-record.ts"
import type { MessageWithParts } from "../record/message.ts"

/** Maximum number of requested repetitions: the guard does not read more. */
const MAX_TIMES = 59

/** Assumed number for "again and again". */
const MANY_TIMES = 19

/** Assumed number for "a few times". */
const FEW_TIMES = 5

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  )
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const SCALES: Readonly<Record<string, number>> = { dozen: 12, hundred: 100, thousand: 1000, million: 1_000_000 }
const WORD = `(?:(?:${TENS.join("|")})(?:[- ](?:${SMALL.slice(1, 10).join("|")}))?|${SMALL.slice(1).join("|")})`
const WORDS = `(?:(?:a|${WORD}) )?(?:${Object.keys(SCALES).join("|")})(?: and ${WORD})?|${WORD}|(?:dozens|hundreds|thousands) of|a few|several`
const DIGITS = "\\d{1,3}(?:[.,_'’ \u00A0\u202F]\\d{3}){1,4}|\\d{1,12}k?"
const NUMBER = `(?<!\\d[.,_'’])\\b(?<number>${DIGITS}|${WORDS})\\+? ?`
const TIMES = "(?:more |further )?(?:(?:times|runs|iterations|rounds|mal|fois|veces)(?![a-z])|[x×](?! ?\\d|[a-z]))"

const COMPARATIVE =
  "(?:fast|slow|larg|bigg|small|high|low|long|short|great|few|cheap|quick|heavi|light|strong|easi|hard|wid|deep|clos)er|better|worse|less"
const POSITIVE =
  "fast|slow|large|big|small|high|low|long|short|great|few|cheap|quick|heavy|many|much|often|good|bad|hard"
const QUANTITY =
  "(?:load|size|speed|traffic|number|amount|volume|data|rate|cost|price|memory|throughput|requests|users|usual|normal|original|current|default|previous|length|width|height|limit|input|concurrency|scale|zoom|resolution|performance|latency)(?! (?:tests?|checks?|benchmarks?|scripts?|suite|command)\\b)"
/**
 * Words that make a number of times a factor or a rate, as in "50x faster", "3 times as many", "2x the load", "5 times
 * a day".
 */
const FACTOR = [
  COMPARATIVE,
  "more (?!and\\b|then\\b|to\\b|with\\b|in\\b|before\\b|after\\b|so\\b|for\\b|please\\b)[a-z]+",
  `as (?:${POSITIVE})`,
  `(?:(?:the|its|our|your|this|that) (?:[a-z]+ )?)?${QUANTITY}`,
  "speed-?ups?|slow-?downs?|improvement|increase|decrease|reduction|growth|gain|overhead",
  "(?:a|an|per|each|every) (?:second|minute|hour|day|night|week|month|year)|daily|hourly|weekly",
].join("|")
const COUNT = `(?:${NUMBER}${TIMES}|\\b(?<adverb>twice|thrice)\\b)(?![- ](?:${FACTOR})\\b)`
const WORK =
  "(?:re-?)?(?:run|execute|repeat|retry|try|start|launch|call|invoke|perform|do|test|check|measure|benchmark|send)"
/** Text between work and count: no end of a sentence, and no word of a report, as in "it failed 100 times". */
const TELLING = "\\b(?:failed|fails|occurred|happened|crashed|was|were|has|had|been)\\b"
const BETWEEN = `(?:(?!${TELLING}|[.!?]\\s|\\n).){0,120}?`

const COUNTED = [
  new RegExp(`\\b${WORK}(?:s|ing)?\\b${BETWEEN}${COUNT}`, "i"),
  new RegExp(`(?<!${TELLING}[^.!?\\n]{0,30})${COUNT}${BETWEEN}\\b${WORK}\\b`, "i"),
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
 * Returns how often the open request asks for work to be done: 5 for "run the tests five times", 0 if it names no
 * number. The user wants as many equal calls with equal results.
 */
export function requestedTimes(messages: readonly MessageWithParts[]): number {
  return timesIn(openRequest(messages))
}

export function timesIn(text: string): number {
  for (const pattern of COUNTED) {
    const { number, adverb } = pattern.exec(text)?.groups ?? {}
    const times = number ?? adverb
    if (times !== undefined) return Math.min(MAX_TIMES, toNumber(times.toLowerCase()))
  }
  return UNCOUNTED.some((pattern) => pattern.test(text)) ? MANY_TIMES : 0
}

/** Returns the value of a match of `COUNT`. */
function toNumber(count: string): number {
  if (/^\d/.test(count)) return Number(count.replaceAll(/\D/g, "")) * (count.endsWith("k") ? 1000 : 1)
  if (count === "twice") return 2
  if (count === "thrice") return 3
  if (count === "a few" || count === "several") return FEW_TIMES
  if (count.endsWith(" of")) return MAX_TIMES
  let sum = 0
  for (const word of count.split(/[- ]/)) {
    const scale = SCALES[word]
    if (scale !== undefined) sum = Math.max(1, sum) * scale
    else if (TENS.includes(word)) sum += 10 * (TENS.indexOf(word) + 2)
    else sum += Math.max(0, SMALL.indexOf(word))
  }
  return sum
}

/** Maximum characters of a request that are read: the rest is mostly pasted. */
const MAX_REQUEST_LENGTH = 20_000

/**
 * Returns the newest request of the user. If a compaction has removed it from the messages, returns the text that the
 * compaction kept.
 */
function openRequest(messages: readonly MessageWithParts[]): string {
  const newest = messages.findLast((message) => isRequest(message))
  const texts = newest?.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  return (texts ?? keptRequests(messages).slice(-1)).join("\n").slice(0, MAX_REQUEST_LENGTH)
}

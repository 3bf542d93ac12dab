import type { Random } from "./random.ts"

const NOUNS =
  `adapter batch boundary buffer cache channel checkpoint clock cluster column commit config connection consumer
context cursor daemon digest driver endpoint entry event fixture flag frame gateway graph handler header index journal key
lease ledger limit listener lock loop manifest marker message migration mirror module monitor mutex node offset option
packet parser partition patch payload pipeline policy pool prefix probe producer profile proxy query queue quota record
region registry relay replica report request resolver response retry route rule sample scheduler schema scope segment
sensor session shard signal slice snapshot socket source stage stream summary table target template thread ticket timer
token topic trace transfer trigger tuple upload vector version watcher window worker writer`.split(/\s+/)
const VERBS = `accepts adds applies awaits blocks builds caches checks clears closes collects compares compacts copies
counts delays drains drops emits expects fails fills flushes follows forwards guards handles holds ignores keeps limits
loads locks maps marks measures merges moves notes opens orders parses passes pauses polls prefers reads rebuilds records
refuses releases removes renews repeats replaces reports resets resolves returns reuses rotates saves scans seals sends
skips sorts splits starts stops stores swaps syncs tracks trims updates validates waits wraps writes`.split(/\s+/)
const ADJECTIVES = `atomic bare bounded cold durable eager early empty exact fresh idle inner large late lazy local long
narrow nested old open outer partial pending plain quick remote shared short silent single slow small stale static strict
temporary unused valid weak wide`.split(/\s+/)
const LINKS = ["while", "because", "before", "as soon as", "although", "so that", "unless", "when"]

export interface Prose {
  noun(): string
  verb(): string
  adjective(): string
  /** For example "The stale lease blocks the writer while the inner cache drains the old queue." */
  sentence(): string
  sentences(least: number, most: number): string
  /** For example "staleLease". */
  identifier(): string
}

export function createProse(random: Random): Prose {
  const noun = () => random.pick(NOUNS)
  const verb = () => random.pick(VERBS)
  const adjective = () => random.pick(ADJECTIVES)
  const clause = () => `the ${adjective()} ${noun()} ${verb()} the ${random.chance(0.4) ? `${noun()} ` : ""}${noun()}`
  const sentence = () => {
    const text = random.chance(0.6) ? `${clause()} ${random.pick(LINKS)} ${clause()}` : clause()
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  }
  return {
    ...{ noun, verb, adjective, sentence },
    sentences: (least, most) => Array.from({ length: random.whole(least, most) }, () => sentence()).join(" "),
    identifier: () => capitalized(adjective(), noun(), random.chance(0.3) ? noun() : ""),
  }
}

function capitalized(first: string, ...others: readonly string[]): string {
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
}

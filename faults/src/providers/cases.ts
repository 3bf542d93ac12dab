import { connectionFaults } from "./connection-faults.ts"
import type { Fault } from "./fault.ts"
import type { Case } from "./run-case.ts"
import { callFaults, spokenFaults } from "./spoken-faults.ts"
import { statusFaults } from "./status-faults.ts"
import { streamFaults } from "./stream-faults.ts"
import { PLACES } from "./whole-answer.ts"

/** Answers with the number of their request, from 0. */
const ANSWERS = [
  ["calls", 0],
  ["answer", 2],
] as const
const WITHOUT_CALLS = PLACES.filter((place) => !/call|arguments/.test(place))

/**
 * Every fault at every position in both answers of a turn, once. An oversized request after calls is left out, because
 * it leads to a compaction, which other tests cover.
 */
export function casesOnce(huge: number): Case[] {
  return ANSWERS.flatMap(([answer, at]) => {
    const streams = (at === 0 ? PLACES : WITHOUT_CALLS).flatMap((place) => streamFaults(place))
    const all = [
      ...streams,
      ...connectionFaults(huge),
      ...statusFaults,
      ...spokenFaults,
      ...(at === 0 ? callFaults : []),
    ]
    return all
      .filter(({ isDeaf, expected }) => at === 0 || !(isDeaf || expected("chat").includes("overflow")))
      .map((fault) => ({ name: `${fault.name} (${answer})`, fault, at, times: 1 }))
  })
}

/** Faults that cause a retry, for all requests of a turn. */
export function casesAgain(huge: number): Case[] {
  const streams = streamFaults("in a text")
  return [...streams, ...connectionFaults(huge), ...statusFaults]
    .filter((fault) => isTriedAgain(fault))
    .map((fault) => ({ name: `${fault.name} (each time)`, fault, at: 0, times: Infinity }))
}

/** Excludes harmless faults. */
function isTriedAgain({ name, expected, isDeaf }: Fault): boolean {
  const isHarmless = /twice|unknown kind|a few bytes|^gzip$|retry-after|redirect|behind/.test(name)
  return expected("chat") === "answered" && !isHarmless && !isDeaf
}

import type { Moment } from "./conversation.ts"
import { generateConversation } from "./generate.ts"
import { playOriginal } from "./original/play.ts"
import { playPawl } from "./pawl.ts"
import { createRequestLog, type RequestLog, type Traffic } from "./request-log.ts"
import { score, type Scores } from "./score.ts"
import type { Limits } from "./subject.ts"
import { garbageSummarizer, lossySummarizer, type Summarizer } from "./summarizer.ts"
import { playTruncation } from "./truncation.ts"

/** Numbers of compactions after which the next request is scored. */
export const COMPACTIONS = [1, 3, 10] as const

export interface Scenario {
  /** Size of the context window in tokens. */
  readonly window: number
  /** How often a conversation would fill the window without compactions. */
  readonly fills: number
  /** Number of conversations. */
  readonly seeds: number
  /** Also runs OpenCode's algorithm with pruning, which is off by default. */
  readonly withPrune: boolean
}

export type SummarizerName = "lossy" | "garbage"
export type SubjectName = "pawl" | "original" | "original with prune" | "truncation"

/** A conversation, played by one subject. */
export interface Run {
  readonly subject: SubjectName
  readonly summarizer: SummarizerName
  /** In the order of `COMPACTIONS`; undefined if the conversation had fewer compactions. */
  readonly scores: readonly (Scores | undefined)[]
  readonly traffic: Traffic
  readonly compactions: number
}

export async function playAll(scenario: Scenario): Promise<readonly Run[]> {
  const runs: Run[] = []
  for (let seed = 1; seed <= scenario.seeds; seed++) {
    process.stderr.write(`  a window of ${scenario.window} tokens: conversation ${seed} of ${scenario.seeds} …\n`)
    for (const summarizer of ["lossy", "garbage"] as const) {
      runs.push(...(await playSeed(scenario, `${seed}`, summarizer)))
    }
  }
  return runs
}

async function playSeed(
  { window, fills, withPrune }: Scenario,
  seed: string,
  summarizer: SummarizerName,
): Promise<Run[]> {
  const limits: Limits = { window, output: Math.min(20_000, Math.floor(window * 0.2)) }
  const conversation = generateConversation(seed, fills * (limits.window - limits.output) * 4)
  const play = (log: RequestLog) => ({ conversation, limits, summarizer: summarizerOf(summarizer, seed), log })
  const runs: Run[] = []
  const take = (subject: SubjectName, log: RequestLog) => {
    const scores = COMPACTIONS.map((number) => {
      const snapshot = log.snapshots.get(number)
      if (snapshot) return score(conversation.facts, snapshot)
      process.stderr.write(`  ${subject} has compacted this conversation less than ${number} times\n`)
      return undefined
    })
    runs.push({ subject, summarizer, scores, traffic: log.traffic, compactions: log.compactions })
  }

  const pawl = createRequestLog()
  const fixed = await playPawl(play(pawl))
  take("pawl", pawl)
  for (const prune of withPrune ? [false, true] : [false]) {
    const log = createRequestLog()
    playOriginal(play(log), fixed, { prune })
    take(prune ? "original with prune" : "original", log)
  }
  if (summarizer === "lossy") {
    const log = createRequestLog(momentsOf(pawl))
    playTruncation(play(log), fixed)
    take("truncation", log)
  }
  return runs
}

/** For subjects without compactions: the moments at which pawl was scored. */
function momentsOf({ snapshots }: RequestLog): ReadonlyMap<number, Moment> {
  return new Map([...snapshots].map(([number, { moment }]) => [number, moment]))
}

function summarizerOf(name: SummarizerName, seed: string): Summarizer {
  return name === "lossy" ? lossySummarizer(seed) : garbageSummarizer()
}

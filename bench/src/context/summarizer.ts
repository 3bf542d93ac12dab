import { materialOf, type Sentence, type Source } from "./material.ts"
import { fraction } from "./random.ts"
import type { Prompt } from "./request.ts"

/** Returns the summary that a model writes for a request. */
export type Summarizer = (request: Prompt) => string

/** Probability that a summary keeps a sentence, by source. */
export const KEEP_PROBABILITY: Readonly<Record<Source, number>> = {
  prior: 0.9,
  list: 0.1,
  user: 0.6,
  assistant: 0.35,
  change: 0.5,
  call: 0.1,
  output: 0.01,
}

/** Factor for sentences that are kept elsewhere according to the instructions. */
export const REPEAT_FACTOR = 0.2

/** Maximum number of words of a summary, unless the request asks for fewer. */
export const MAX_WORDS = 1000

/** Headings for the sentences of a source. The first matching heading is used. */
const HEADINGS: Readonly<Record<Source, RegExp>> = {
  prior: /detail|instruction|discover/i,
  list: /detail|discover/i,
  user: /detail|instruction|discover/i,
  assistant: /state|accomplished/i,
  change: /files/i,
  call: /files/i,
  output: /detail|discover/i,
}

/**
 * A model that forgets: it keeps random sentences by its seed, more from users than from tool outputs, within the word
 * limit, and puts them under the requested headings. Each summary chooses sentences again.
 */
export function lossySummarizer(seed: string): Summarizer {
  let asked = 0
  return (request) => {
    const { sentences, headings, words, keptElsewhere } = materialOf(request)
    const round = `${seed}/${asked++}`
    const ranked = sentences
      .map((sentence) => ({ sentence, rank: rankOf(sentence, round, keptElsewhere) }))
      .filter(({ rank }) => rank < 1)
      .toSorted((a, b) => a.rank - b.rank)
    const chosen = new Set<Sentence>()
    let left = Math.min(MAX_WORDS, words)
    for (const { sentence } of ranked) {
      left -= sentence.text.split(/\s+/).length
      if (left < 0) break
      chosen.add(sentence)
    }
    return written(
      sentences.filter((sentence) => chosen.has(sentence)),
      headings,
    )
  }
}

/** A model that answers with useless text. */
export function garbageSummarizer(): Summarizer {
  let asked = 0
  return () => `lorem ipsum ${asked++} dolor sit amet `.repeat(40)
}

/** Below 1: the sentence is kept. Lower ranks come first. */
function rankOf({ source, text }: Sentence, round: string, keptElsewhere: ReadonlySet<Source>): number {
  const share = KEEP_PROBABILITY[source] * (keptElsewhere.has(source) ? REPEAT_FACTOR : 1)
  return fraction(`${round} ${text}`) / share
}

function written(sentences: readonly Sentence[], headings: readonly string[]): string {
  const [first = "Summary"] = headings
  const placed = Map.groupBy(sentences, ({ source }) => headings.find((each) => HEADINGS[source].test(each)) ?? first)
  const sections = (headings.length > 0 ? headings : [first]).map((heading) => {
    const lines = placed.get(heading)?.map(({ text }) => `- ${text}`) ?? ["- Going on."]
    return `## ${heading}\n${lines.join("\n")}`
  })
  return sections.join("\n\n")
}

import { materialOf, type Sentence, type Source } from "./material.ts"
import { fraction } from "./random.ts"
import type { Prompt } from "./request.ts"

/** What a model writes when it is asked for a summary. */
export type Summarizer = (request: Prompt) => string

/** The sentences of each source that a summary takes up. What it was said by counts, not what is said. */
export const KEPT: Readonly<Record<Source, number>> = {
  prior: 0.9,
  list: 0.1,
  user: 0.6,
  assistant: 0.35,
  change: 0.5,
  call: 0.1,
  output: 0.01,
}

/** Of sentences that it is told are kept elsewhere, a summarizer takes up this part of those that it would have. */
export const REPEATED = 0.2

/** Words of a summary, unless fewer are asked for. */
export const WORDS = 1000

/** Under which of the headings that are asked for a sentence goes; the first that fits counts. */
const PLACES: Readonly<Record<Source, RegExp>> = {
  prior: /detail|instruction|discover/i,
  list: /detail|discover/i,
  user: /detail|instruction|discover/i,
  assistant: /state|accomplished/i,
  change: /files/i,
  call: /files/i,
  output: /detail|discover/i,
}

/**
 * A model that forgets: it takes up the sentences that its seed chooses, more of what people say than of what tools
 * print, as far as the words go, and puts them under the headings that are asked for. A sentence is chosen anew each
 * time that it comes up.
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
    let left = Math.min(WORDS, words)
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

/** A model that answers with what is no summary. */
export function garbageSummarizer(): Summarizer {
  let asked = 0
  return () => `lorem ipsum ${asked++} dolor sit amet `.repeat(40)
}

/** Below 1: taken up. The lower, the sooner. */
function rankOf({ source, text }: Sentence, round: string, keptElsewhere: ReadonlySet<Source>): number {
  const share = KEPT[source] * (keptElsewhere.has(source) ? REPEATED : 1)
  return fraction(`${round} ${text}`) / share
}

function written(sentences: readonly Sentence[], headings: readonly string[]): string {
  const [first = "Summary"] = headings
  const placed = Map.groupBy(sentences, ({ source }) => headings.find((each) => PLACES[source].test(each)) ?? first)
  const sections = (headings.length > 0 ? headings : [first]).map((heading) => {
    const lines = placed.get(heading)?.map(({ text }) => `- ${text}`) ?? ["- Going on."]
    return `## ${heading}\n${lines.join("\n")}`
  })
  return sections.join("\n\n")
}

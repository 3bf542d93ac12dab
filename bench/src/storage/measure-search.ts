import { collected } from "./collected.ts"
import { sessionID } from "@pawl/storage-testkit/samples"
import { milliseconds } from "../report/amount.ts"
import { type Measure, timed } from "./measure.ts"
import { fillWithWords, sampleQueries } from "./vocabulary.ts"

const LIMIT = 20
const ROUNDS = 5
const id = sessionID(1)

/** Searches very many parts for common and rare words. */
export const measureSearch: Measure = async function search(subject, { scratch, quick, smallest }) {
  if (!subject.searches) return []
  await using opened = await subject.open(scratch, { durable: false })
  const { storage } = opened
  const parts = smallest ? 1_000 : quick ? 20_000 : 1_000_000
  await fillWithWords(storage, id, parts)
  const ask = (text: string) => timed(() => collected(storage.search({ text, limit: LIMIT })))
  const indexing = await ask("anything")
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++) for (const query of sampleQueries()) samples.push(await ask(query))
  const sorted = samples.toSorted((a, b) => a - b)
  return [
    {
      ...{
        benchmark: "storage",
        what: `${subject.name}: search over ${parts} parts, 95 of 100`,
        samples: { search: samples },
      },
      ...{ result: sorted[Math.floor(sorted.length * 0.95)] ?? 0, unit: "ms" },
      goal: { atMost: 100, informative: true },
      from: `median ${milliseconds(sorted[Math.floor(sorted.length / 2)] ?? 0)}; the first, which makes the index, ${milliseconds(indexing)}`,
    },
  ]
}

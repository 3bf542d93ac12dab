import { wordsText } from "../model/varied-words.ts"
import { streamAnswer } from "./answer.ts"
import type { Measure } from "./measure.ts"

const TOKENS = 10_000

/** Compares the bytes written while an answer is streamed with the answer's size. */
export const measureAnswer: Measure = async function answer(subject, { scratch, smallest }) {
  const tokens = smallest ? 500 : TOKENS
  await using opened = await subject.open(scratch, { durable: true })
  const directory = await scratch.folder()
  // The first session causes additional writes, which do not count.
  await streamAnswer(opened.storage, directory, 1)
  const before = await opened.writtenBytes()
  await streamAnswer(opened.storage, directory, tokens)
  const after = await opened.writtenBytes()
  if (before === undefined || after === undefined) return []
  const [written, size] = [after - before, wordsText(tokens).length]
  return [
    {
      ...{ benchmark: "storage", what: `${subject.name}: bytes written of an answer of ${tokens} tokens / its size` },
      ...{ result: written / size, unit: "×", goal: { atMost: 3 }, samples: { written: [written], size: [size] } },
      from: `${Math.round(written / 1024)} KiB for ${Math.round(size / 1024)} KiB`,
    },
  ]
}

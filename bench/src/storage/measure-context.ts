import { sessionID } from "@pawl/storage-testkit/samples"
import { interleaved, median } from "../measure/statistics.ts"
import { milliseconds } from "../report/amount.ts"
import { fillSession } from "./fill.ts"
import { type Measure, timed } from "./measure.ts"

const TAIL = 20
const [few, many] = [sessionID(2), sessionID(1)]

/**
 * Compares reading the context of a session with few messages before the boundary and one with a thousand times as
 * many.
 */
export const measureContext: Measure = async function context(subject, { scratch, quick, smallest }) {
  await using opened = await subject.open(scratch, { durable: false })
  const { storage } = opened
  const before = smallest ? 200 : quick ? 2_000 : 100_000
  await fillSession(storage, few, 100 + TAIL, TAIL)
  await fillSession(storage, many, before + TAIL, TAIL)
  const read = async (id: typeof few) => {
    const { messages } = await storage.readContext(id)
    if (messages.length !== TAIL) throw new Error(`${messages.length} messages were read instead of ${TAIL}.`)
  }
  await read(few)
  await read(many)
  const samples = await interleaved(quick ? 10 : 100, {
    few: () => timed(() => read(few)),
    many: () => timed(() => read(many)),
  })
  const [least, most] = [median(samples.few), median(samples.many)]
  return [
    {
      ...{ benchmark: "storage", what: `${subject.name}: the context behind ${before} messages / behind 100`, samples },
      ...{ result: most / least, unit: "×", goal: { atMost: 2 } },
      from: `${milliseconds(most)}, behind 100 ${milliseconds(least)}`,
    },
  ]
}

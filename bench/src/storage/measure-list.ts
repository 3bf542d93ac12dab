import { collected } from "./collected.ts"
import { median } from "../measure/statistics.ts"
import { fillSessions } from "./fill.ts"
import { type Measure, timed } from "./measure.ts"

const NEWEST = 50
const ROUNDS = 20

/** Lists the newest of very many sessions. */
export const measureList: Measure = async function list(subject, { scratch, quick, smallest }) {
  await using opened = await subject.open(scratch, { durable: false })
  const { storage } = opened
  const count = smallest ? 100 : quick ? 2_000 : 100_000
  await fillSessions(storage, count)
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    samples.push(
      await timed(async () => {
        const listed = await collected(storage.listSessions({ limit: NEWEST }))
        if (listed.length !== NEWEST) throw new Error(`${listed.length} sessions were listed instead of ${NEWEST}.`)
      }),
    )
  }
  const atMost = subject.name === "file" ? 300 : 20
  return [
    {
      ...{
        benchmark: "storage",
        what: `${subject.name}: newest ${NEWEST} of ${count} sessions`,
        samples: { list: samples },
      },
      ...{ result: median(samples), unit: "ms", goal: { atMost, informative: true } },
      from: `median of ${ROUNDS}`,
    },
  ]
}

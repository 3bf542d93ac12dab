import { join } from "node:path"
import { runChild } from "../measure/child.ts"
import { durableWrites } from "../measure/durable-write.ts"
import { interleaved, median } from "../measure/statistics.ts"
import type { Recording } from "../model/model-process.ts"
import { stepsPrompt } from "../model/reply-to.ts"
import { milliseconds } from "../report/amount.ts"
import type { Goal, Row } from "../report/row.ts"
import type { Benchmark } from "./benchmark.ts"

const STEPS = 200
const EDGE = 10
const engineScript = new URL("../children/engine-steps.ts", import.meta.url)
const sdkScript = new URL("../children/sdk-steps.ts", import.meta.url)
const floorScript = new URL("../children/floor-steps.ts", import.meta.url)

export const steps: Benchmark = {
  name: "steps",
  summary: `${STEPS} steps with an instant tool and durable commits, against a client that stores nothing`,
  async run({ model, scratch, quick, smallest }) {
    const count = smallest ? 12 : STEPS
    const prompt = stepsPrompt(count, "instant", '{"step": $n}')
    let firstBody = ""
    const { pawl, sdk, floor, disk } = await interleaved(quick ? 1 : 7, {
      async pawl() {
        const directory = await scratch.folder()
        await runChild(engineScript, { url: model.url, database: join(directory, "pawl.db"), directory, prompt })
        const recording = await model.take()
        firstBody = recording.firstBody
        return gaps(recording, count)
      },
      async sdk() {
        await runChild(sdkScript, { url: model.url, database: join(await scratch.folder(), "steps.db"), firstBody })
        return gaps(await model.take(), count)
      },
      async floor() {
        await runChild(floorScript, { url: model.url, firstBody })
        return gaps(await model.take(), count)
      },
      disk: async () => durableWrites(await scratch.folder()),
    })
    return [
      ...stepRows({ pawl, sdk, floor }, count),
      diskRow(disk),
      growthRow("pawl", pawl, { atMost: 1.2 }),
      growthRow("floor", floor),
    ]
  },
}

/**
 * Returns the times from the end of each answer to the arrival of the next request. The first one is left out, because
 * it includes loading code.
 */
function gaps({ exchanges }: Recording, count: number): number[] {
  if (exchanges.length !== count + 1) throw new Error(`${exchanges.length} requests came instead of ${count + 1}.`)
  return exchanges.slice(2).flatMap(({ arrived }, index) => {
    const ended = exchanges[index + 1]?.ended
    return ended === undefined ? [] : [arrived - ended]
  })
}

function stepRows(runs: Readonly<Record<"pawl" | "sdk" | "floor", readonly number[][]>>, count: number): Row[] {
  const { pawl } = runs
  const samples = { pawl: pawl.map(median), sdk: runs.sdk.map(median), floor: runs.floor.map(median) }
  const step = median(samples.pawl)
  const against = (what: string, other: readonly number[]): Row => {
    const least = median(other)
    const from = `pawl ${milliseconds(step)}, that ${milliseconds(least)}`
    return { benchmark: "steps", what: `one step / ${what}`, result: step / least, unit: "×", from, samples }
  }
  return [
    {
      ...{ benchmark: "steps", what: "one step", samples, from: `median of ${count}, in each of ${pawl.length} runs` },
      ...{ result: step, unit: "ms", goal: { atMost: 3, informative: true } },
    },
    against("the AI SDK's, with two commits", samples.sdk),
    against("the floor's", samples.floor),
  ]
}

/** Measures the disk without pawl: its share of a step, and how busy it was. */
function diskRow(runs: readonly number[][]): Row {
  const samples = { disk: runs.map(median) }
  const [what, from] = ["the disk: one durable write of 4 KiB", "a step makes several commits"]
  return { benchmark: "steps", what, result: median(samples.disk), unit: "ms", from, samples }
}

/** Shows if steps become slower in a longer session. */
function growthRow(subject: string, runs: readonly number[][], goal?: Goal): Row {
  const samples = { first: runs.flatMap((run) => run.slice(0, EDGE)), last: runs.flatMap((run) => run.slice(-EDGE)) }
  const [first, last] = [median(samples.first), median(samples.last)]
  return {
    benchmark: "steps",
    what: `${subject}: last ${EDGE} steps / first ${EDGE}`,
    result: last / first,
    unit: "×",
    ...(goal ? { goal } : {}),
    from: `last ${milliseconds(last)}, first ${milliseconds(first)}`,
    samples,
  }
}

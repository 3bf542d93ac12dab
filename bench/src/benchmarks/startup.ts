import { runNode } from "../measure/command.ts"
import { installPawl } from "../measure/pawl.ts"
import { peakMemory } from "../measure/peak-memory.ts"
import { interleaved, median } from "../measure/statistics.ts"
import { GREETING } from "../model/reply-to.ts"
import { amount, milliseconds } from "../report/amount.ts"
import type { Goal, Row } from "../report/row.ts"
import type { Benchmark } from "./benchmark.ts"

export const startup: Benchmark = {
  name: "startup",
  summary: "pawl --version and pawl run with a one-line answer, against node with nothing to do",
  async run({ model, scratch, quick, smallest }) {
    const pawl = await installPawl(scratch)
    const bare = () => runNode(["-e", "0"], pawl.environment, pawl.project).wall
    const version = () => pawl.call(["--version"]).wall
    const run = () => greeted(pawl.run(model.url, ["hi"])).wall

    // The first runs create the database and fill the cache of compiled code.
    for (const warm of smallest ? [] : [bare, version, run, run, run]) warm()
    const walls = await interleaved(smallest ? 1 : quick ? 5 : 21, {
      bare: async () => bare(),
      version: async () => version(),
      run: async () => run(),
    })
    const peaks = await interleaved(quick ? 1 : 5, {
      bare: () => {
        return peakMemory(scratch, (options, more) => {
          return runNode([...options, "-e", "0"], { ...pawl.environment, ...more }, pawl.project)
        })
      },
      run: () => peakMemory(scratch, (options, more) => greeted(pawl.run(model.url, ["hi"], options, more))),
    })
    await model.take()
    return [
      wallRow("pawl --version / node -e 0", walls.version, walls.bare, { atMost: 1.4 }),
      wallRow("pawl run, one line / node -e 0", walls.run, walls.bare, { atMost: 5.5 }),
      {
        ...{ benchmark: "startup", what: "peak memory of that run", result: median(peaks.run), unit: "MiB" },
        ...{ goal: { atMost: 120 }, from: `node -e 0 ${amount(median(peaks.bare), "MiB")}`, samples: peaks },
      },
    ]
  },
}

function greeted<R extends { readonly stdout: string }>(result: R): R {
  if (!result.stdout.includes(GREETING)) throw new Error(`pawl run answered something else: ${result.stdout}`)
  return result
}

function wallRow(what: string, pawl: readonly number[], bare: readonly number[], goal: Goal): Row {
  const [wall, least] = [median(pawl), median(bare)]
  const from = `${milliseconds(wall)}, bare node ${milliseconds(least)}`
  return { benchmark: "startup", what, result: wall / least, unit: "×", goal, from, samples: { pawl, bare } }
}

import { join } from "node:path"
import type { EngineDeltas } from "../children/engine-deltas.ts"
import type { StreamDeltas } from "../children/stream-deltas.ts"
import { runChild } from "../measure/child.ts"
import { installPawl } from "../measure/pawl.ts"
import { interleaved, median } from "../measure/statistics.ts"
import { deltasPrompt } from "../model/reply-to.ts"
import { wordsText } from "../model/varied-words.ts"
import { milliseconds } from "../report/amount.ts"
import type { Goal, Row } from "../report/row.ts"
import type { Benchmark } from "./benchmark.ts"

const DELTAS = 100_000
const engineScript = new URL("../children/engine-deltas.ts", import.meta.url)
const streamScript = new URL("../children/stream-deltas.ts", import.meta.url)

export const deltas: Benchmark = {
  name: "deltas",
  summary: `an answer of ${DELTAS.toLocaleString("en")} text deltas, against reading it with the AI SDK alone`,
  async run({ model, scratch, quick, smallest }) {
    const { url } = model
    const count = smallest ? 2_000 : DELTAS
    const complete = completeWith(count)
    const prompt = deltasPrompt(count)
    const pawl = await installPawl(scratch)
    const { engine, stream, command } = await interleaved(quick ? 1 : 7, {
      async engine() {
        const directory = await scratch.folder()
        const input = { url, database: join(directory, "pawl.db"), directory, prompt }
        const result = await runChild<EngineDeltas>(engineScript, input)
        const sent = (await model.take()).exchanges.at(-1)?.bytes ?? 0
        return { ...complete(result), sent }
      },
      async stream() {
        const result = complete(await runChild<StreamDeltas>(streamScript, { url, prompt }))
        await model.take()
        return result
      },
      async command() {
        const { stdout, wall } = pawl.run(url, [prompt])
        await model.take()
        const said = stdout.split("word").length - 1
        return complete({ wall, deltas: said })
      },
    })
    const alone = stream.map(({ wall }) => wall)
    return [
      wallRow("engine turn / doStream alone", engine, alone, { atMost: 2 }),
      ...bytesRows(engine, wordsText(count).length),
      wallRow("whole pawl run / doStream alone", command, alone),
    ]
  },
}

function completeWith(count: number) {
  return <R extends { readonly deltas: number }>(result: R): R => {
    if (result.deltas !== count) throw new Error(`${result.deltas} deltas came instead of ${count}.`)
    return result
  }
}

function wallRow(what: string, runs: readonly { wall: number }[], alone: readonly number[], goal?: Goal): Row {
  const samples = { pawl: runs.map(({ wall }) => wall), alone }
  const [wall, least] = [median(samples.pawl), median(alone)]
  const from = `${milliseconds(wall)}, alone ${milliseconds(least)}`
  return { benchmark: "deltas", what, result: wall / least, unit: "×", ...(goal ? { goal } : {}), from, samples }
}

type EngineRun = EngineDeltas & { readonly sent: number }

/** Returns no rows if the system does not count the bytes that a process writes. */
function bytesRows(runs: readonly EngineRun[], text: number): Row[] {
  const row = (what: string, count: (run: EngineRun) => number | undefined, goal?: Goal): Row[] => {
    const written = runs.flatMap((run) => count(run) ?? []).map((bytes, index) => bytes - (runs[index]?.sent ?? 0))
    if (written.length === 0) return []
    const bytes = median(written)
    const from = `${kibibytes(bytes)} for ${kibibytes(text)}`
    const samples = { written, text: [text] }
    return [{ benchmark: "deltas", what, result: bytes / text, unit: "×", ...(goal ? { goal } : {}), from, samples }]
  }
  return [
    ...row("bytes written in the turn / text", (run) => run.written, { atMost: 3 }),
    ...row("the same until the database is closed", (run) => run.writtenUntilClosed),
  ]
}

function kibibytes(bytes: number): string {
  return `${Math.round(bytes / 1024).toLocaleString("en")} KiB`
}

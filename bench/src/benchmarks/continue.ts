import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { runChild } from "../measure/child.ts"
import { installPawl, type Pawl } from "../measure/pawl.ts"
import { saveFolder } from "../measure/saved-folder.ts"
import { interleaved, median } from "../measure/statistics.ts"
import type { ModelProcess } from "../model/model-process.ts"
import type { Exchange } from "../model/serve.ts"
import { stepsPrompt } from "../model/reply-to.ts"
import { milliseconds } from "../report/amount.ts"
import type { Benchmark } from "./benchmark.ts"

/** Input of each call in the long session. With line numbers a result has 1 KB, so all together 1 MB. */
const NOTE = { lines: 20, width: 37 }

const sendScript = new URL("../children/send-prompt.ts", import.meta.url)

export const continuing: Benchmark = {
  name: "continue",
  summary: "process start to first request after 1,000 tool calls, against a new session",
  async run({ model, scratch, quick, smallest }) {
    const calls = smallest ? 10 : quick ? 200 : 1_000
    const long = await installPawl(scratch)
    // The same user, because a start takes longer with more code in the cache, and the cache depends on earlier runs.
    const fresh = await installPawl(scratch, long)
    const sessionID = await longSession(model, long, calls)
    const continueSession = () => long.run(model.url, ["--session", sessionID, "go on"])
    const begin = () => fresh.run(model.url, ["hi"])
    begin()
    await model.take()
    // Restore the data before each run, because a second continuation would send less after old results were cleared,
    // and the store would have grown.
    const restoreLong = await saveFolder(long.data, join(await scratch.folder(), "data"))
    const restoreFresh = await saveFolder(fresh.data, join(await scratch.folder(), "data"))

    // Warm up databases, caches of compiled code and this process's HTTP client.
    let firstBody = ""
    for (let run = 0; run < (smallest ? 1 : 3); run++) {
      await restoreFresh()
      begin()
      await model.take()
      await restoreLong()
      continueSession()
      firstBody = (await model.take()).firstBody
    }
    const request = join(await scratch.folder(), "request.json")
    await writeFile(request, firstBody)
    const size = Buffer.byteLength(firstBody)

    const samples = await interleaved(smallest ? 1 : quick ? 5 : 31, {
      async continued() {
        await restoreLong()
        const { started } = continueSession()
        const [exchange] = (await model.take()).exchanges
        if (exchange?.bytes !== size) throw new Error(`A continuation sent ${exchange?.bytes} bytes, not ${size}.`)
        return sinceStart(started, exchange)
      },
      async sent() {
        const started = await runChild<number>(sendScript, { url: model.url, request })
        return sinceStart(started, (await model.take()).exchanges[1])
      },
      async fresh() {
        await restoreFresh()
        const { started } = begin()
        return sinceStart(started, (await model.take()).exchanges[0])
      },
    })
    const [continued, sent, anew] = [median(samples.continued), median(samples.sent), median(samples.fresh)]
    // Ratios per round, because the machine's speed changes over time and the runs of a round are close together.
    const ratios = samples.continued.map((each, round) => {
      return (each - (samples.sent[round] ?? NaN)) / (samples.fresh[round] ?? NaN)
    })
    return [
      {
        ...{ benchmark: "continue", what: `first request after ${calls} calls, without sending it / of a new session` },
        ...{ result: median(ratios), unit: "×", goal: { atMost: 1.3 }, samples },
        from: `medians: continued ${milliseconds(continued)}, sending ${Math.round(size / 1024)} KiB ${milliseconds(sent)}, new ${milliseconds(anew)}`,
      },
    ]
  },
}

/** Creates a session with the given number of tool calls, which all read the same file. Returns its id. */
async function longSession(model: ModelProcess, pawl: Pawl, calls: number): Promise<string> {
  await writeFile(join(pawl.project, "note.txt"), `${"x".repeat(NOTE.width - 1)}\n`.repeat(NOTE.lines * (calls + 1)))
  const input = { filePath: "note.txt", offset: "$n", limit: NOTE.lines }
  const prompt = stepsPrompt(calls, "read", JSON.stringify(input).replace('"$n"', "$n"))
  const { stdout } = pawl.run(model.url, ["--format", "json", prompt])
  const { exchanges } = await model.take()
  if (exchanges.length !== calls + 1) throw new Error(`The session took ${exchanges.length - 1} steps, not ${calls}.`)
  return (JSON.parse(stdout.slice(0, stdout.indexOf("\n"))) as { sessionID: string }).sessionID
}

function sinceStart(started: number, exchange: Exchange | undefined): number {
  if (!exchange) throw new Error("No request reached the model.")
  return exchange.arrived - started
}

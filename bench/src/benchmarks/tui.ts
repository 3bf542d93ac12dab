import { fileURLToPath } from "node:url"
import { englishOnly, smallerMarkdown, terminalTexts } from "../../../apps/cli/build/bundle-plugins.ts"
import { bundleProgram } from "../../../bundle.base.ts"
import { interleaved, median, percentile } from "../measure/statistics.ts"
import { amount, milliseconds } from "../report/amount.ts"
import type { Goal, Row, Unit } from "../report/row.ts"
import { inTerminal, type Played } from "../tui/in-terminal.ts"
import type { Measured, Phase } from "../tui/played.ts"
import type { Benchmark } from "./benchmark.ts"

const pawlSource = fileURLToPath(new URL("../children/pawl-tui.ts", import.meta.url))
const piSource = fileURLToPath(new URL("../children/pi-tui.ts", import.meta.url))

export const tui: Benchmark = {
  name: "tui",
  summary: "the terminal UI with an answer of 1,000 deltas, against pi's terminal UI with the same",
  async run({ scratch, quick, smallest }) {
    const deltas = smallest ? 50 : 1000
    const old = smallest ? 20 : 2000
    const short = { old: 0, deltas, idleMs: smallest ? 100 : 5000, echoDeltas: smallest ? 200 : 1500 }
    const long = { old, deltas, idleMs: 0, echoDeltas: 0 }
    const bundles = await scratch.folder()
    const [pawlScript, piScript] = await Promise.all([
      bundleProgram(pawlSource, bundles, [englishOnly, smallerMarkdown, terminalTexts]),
      bundleProgram(piSource, bundles),
    ])
    const runs = await interleaved(quick ? 1 : 5, {
      pawl: () => inTerminal(pawlScript, short, scratch),
      pi: () => inTerminal(piScript, short, scratch),
      pawlLong: () => inTerminal(pawlScript, long, scratch),
      piLong: () => inTerminal(piScript, long, scratch),
    })
    const both = { pawl: runs.pawl, pi: runs.pi }
    const isDrawn = Object.values(runs)
      .flat()
      .every(({ phases }) => phases.answered.bytes > 0)
    if (!isDrawn) throw new Error("A UI has drawn nothing of the answer.")
    const bothLong = { pawl: runs.pawlLong, pi: runs.piLong }
    return [
      ratio("CPU of 1,000 deltas / pi's", both, cpuUntil("answered"), "ms", { atMost: 1 }),
      ratio("memory after them / pi's", both, of("answered", "rss"), "MiB", { atMost: 1.1 }),
      ratio("bytes to the terminal / pi's", both, ({ phases }) => phases.answered.bytes / 1024, "KiB"),
      counted("erased screens and scrollbacks", both, (played) => sumOf(played, "wipes")),
      counted("bytes outside of synchronized updates", both, of("answered", "outside")),
      ratio("echo of a key while 500 deltas a second stream, p99 / pi's", both, echo(99), "ms"),
      absolute("the same in milliseconds", both, echo(99), "ms", { atMost: 16, informative: true }),
      counted("bytes while idle", both, of("idle", "bytes")),
      absolute("CPU while idle", both, idleShare(short.idleMs), "%", { atMost: 0.5, informative: true }),
      ratio("CPU with 2,000 old messages / pi's", bothLong, cpuUntil("answered"), "ms", { atMost: 1 }),
      ratio("memory with 2,000 old messages / pi's", bothLong, of("answered", "rss"), "MiB", { atMost: 1 }),
      counted("erased screens and scrollbacks with 2,000 old messages", bothLong, (played) => sumOf(played, "wipes")),
    ]
  },
}

type Both = Readonly<Record<"pawl" | "pi", readonly Played[]>>
type Value = (played: Played) => number

function of(phase: Phase["phase"], field: keyof Measured): Value {
  return ({ phases }) => phases[phase][field]
}

/** From the start of the process. */
function cpuUntil(phase: "answered"): Value {
  return ({ phases }) => phases.shown.cpu + phases[phase].cpu
}

function echo(percent: number): Value {
  return ({ echoes }) => percentile(echoes, percent)
}

function idleShare(idleMs: number): Value {
  return ({ phases }) => (100 * phases.idle.cpu) / idleMs
}

function sumOf({ phases }: Played, field: keyof Measured): number {
  return Object.values(phases).reduce((sum, phase) => sum + phase[field], 0)
}

function samplesOf({ pawl, pi }: Both, value: Value) {
  return { pawl: pawl.map(value), pi: pi.map(value) }
}

function ratio(what: string, both: Both, value: Value, unit: Unit, goal?: Goal): Row {
  const samples = samplesOf(both, value)
  const [own, other] = [median(samples.pawl), median(samples.pi)]
  const text = (each: number) => amount(each, unit)
  const from = `${text(own)}, pi ${text(other)}`
  return { benchmark: "tui", what, result: own / other, unit: "×", ...(goal ? { goal } : {}), from, samples }
}

function absolute(what: string, both: Both, value: Value, unit: "ms" | "%", goal: Goal): Row {
  const samples = samplesOf(both, value)
  const from = `pi ${unit === "ms" ? milliseconds(median(samples.pi)) : amount(median(samples.pi), unit)}`
  return { benchmark: "tui", what, result: median(samples.pawl), unit, goal, from, samples }
}

/** The worst run counts. */
function counted(what: string, both: Both, value: Value): Row {
  const samples = samplesOf(both, value)
  const from = `pi ${Math.max(...samples.pi)}`
  return {
    benchmark: "tui",
    what,
    result: Math.max(...samples.pawl),
    unit: "times",
    goal: { atMost: 0 },
    from,
    samples,
  }
}

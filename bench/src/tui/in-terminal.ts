import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Scratch } from "../measure/scratch.ts"
import type { Phase, Plan } from "./played.ts"

export interface Played {
  readonly phases: Readonly<Record<Phase["phase"], Phase>>
  /** Milliseconds from a key to the bytes that show it, while deltas stream. */
  readonly echoes: readonly number[]
}

/** Each is typed once, so that its first appearance is its echo. */
const KEYS = [
  ...Array.from({ length: 26 }, (_, at) => String.fromCodePoint(0x41 + at)),
  ...Array.from({ length: 32 }, (_, at) => String.fromCodePoint(0x430 + at)),
]
const KEY_PAUSE_MS = 25
const MAX_ECHO_MS = 1000
const MAX_PHASE_MS = 120_000

/** Plays the plan with a UI in a pseudo-terminal of 120 columns and 40 rows, whose other end reads at once. */
export async function inTerminal(script: string, plan: Omit<Plan, "results">, scratch: Scratch): Promise<Played> {
  const { spawn } = await import("@lydell/node-pty")
  const results = join(await scratch.folder(), "results.jsonl")
  const args = [script, JSON.stringify({ ...plan, results })]
  const env = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", NODE_ENV: "production" }
  const child = spawn(process.execPath, args, { cols: 120, rows: 40, env, name: "xterm-256color" })
  const listeners = new Set<(data: string) => void>()
  let newest = ""
  const exited = Promise.withResolvers<void>()
  let isEnded = false
  child.onData((data) => {
    newest = (newest + data).slice(-2000)
    for (const listener of listeners) listener(data)
  })
  child.onExit(() => {
    isEnded = true
    exited.resolve()
  })

  async function phases(): Promise<Phase[]> {
    const lines = await readFile(results, "utf8").catch(() => "")
    return lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Phase]))
  }
  async function finished(phase: Phase["phase"]): Promise<void> {
    const deadline = performance.now() + MAX_PHASE_MS
    while (!(await phases()).some((each) => each.phase === phase)) {
      if (isEnded || performance.now() > deadline) throw new Error(`The UI did not come to "${phase}": ${newest}`)
      await setTimeout(20)
    }
  }
  async function echoOf(key: string): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const listener = (data: string) => data.includes(key) && resolve()
    listeners.add(listener)
    const start = performance.now()
    child.write(key)
    await Promise.race([promise, exited.promise, setTimeout(MAX_ECHO_MS, undefined, { ref: false })])
    listeners.delete(listener)
    return performance.now() - start
  }

  try {
    await finished("idle")
    const echoes: number[] = []
    for (const key of plan.echoDeltas > 0 ? KEYS : []) {
      if (isEnded) break
      echoes.push(await echoOf(key))
      await setTimeout(KEY_PAUSE_MS)
    }
    await finished("echoed")
    const byName = Object.fromEntries((await phases()).map((phase) => [phase.phase, phase]))
    return { phases: byName as Played["phases"], echoes }
  } finally {
    if (!isEnded) child.kill("SIGKILL")
  }
}

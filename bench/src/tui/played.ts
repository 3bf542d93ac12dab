import { appendFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"

/** The phases of a measurement, in this order. */
export interface Plan {
  /** Messages that are shown before the measured answer. */
  readonly old: number
  /** Deltas of the measured answer, one every 2 ms. */
  readonly deltas: number
  /** Milliseconds without anything to do. */
  readonly idleMs: number
  /** Deltas that stream while keys are typed. */
  readonly echoDeltas: number
  /** File that gets a line of JSON for each finished phase. */
  readonly results: string
}

/** A terminal UI that shows messages. */
export interface MeasuredUi {
  addMessage(text: string): void
  begin(): void
  addDelta(delta: string): void
  end(): void
  close(): Promise<void>
}

/** CPU times are milliseconds, of the whole process since the phase before. */
export type Phase =
  | ({ readonly phase: "shown" } & Measured)
  | ({ readonly phase: "answered" } & Measured)
  | ({ readonly phase: "idle" } & Measured)
  | ({ readonly phase: "echoed" } & Measured)

export interface Measured {
  readonly cpu: number
  /** MiB */
  readonly rss: number
  readonly bytes: number
  readonly frames: number
  /** Number of erased screens and scrollbacks. */
  readonly wipes: number
  /** Bytes that are not in a synchronized update. */
  readonly outside: number
}

const DELTA_MS = 2

/** Words with paragraphs, wide characters and emoji. */
export function deltaAt(at: number): string {
  if (at % 60 === 59) return "end.\n\n"
  return at % 17 === 0 ? "日本 " : at % 23 === 0 ? "👍 " : `word${at} `
}

export function oldMessage(at: number): string {
  return `Old message ${at} with some words to wrap and **bold** text, ${"more words ".repeat(10)}`
}

/** Plays the plan. Call it first in the process, because it counts what is written from then on. */
export async function play({ old, deltas, idleMs, echoDeltas, results }: Plan, open: () => Promise<MeasuredUi>) {
  const written = countWrites()
  let before = process.cpuUsage()
  const report = (phase: Phase["phase"]) => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const measured = { cpu: (user + system) / 1000, rss: process.memoryUsage.rss() / 1024 ** 2, ...written() }
    appendFileSync(results, `${JSON.stringify({ phase, ...measured })}\n`)
  }
  // From the start of the process.
  before = { user: 0, system: 0 }
  const ui = await open()
  for (let at = 0; at < old; at++) ui.addMessage(oldMessage(at))
  await setTimeout(200)
  report("shown")
  await stream(ui, deltas)
  report("answered")
  // What follows the last frame, such as the collection of garbage.
  await setTimeout(1000)
  written()
  before = process.cpuUsage()
  await setTimeout(idleMs)
  report("idle")
  await stream(ui, echoDeltas)
  report("echoed")
  await ui.close()
}

async function stream(ui: MeasuredUi, count: number): Promise<void> {
  ui.begin()
  const start = performance.now()
  for (let at = 0; at < count; at++) {
    ui.addDelta(deltaAt(at))
    const due = start + at * DELTA_MS
    await setTimeout(Math.max(0, due - performance.now()))
  }
  ui.end()
  await setTimeout(150)
}

/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
function countWrites() {
  const none = { bytes: 0, frames: 0, wipes: 0, outside: 0 }
  let counted = none
  let isInside = false
  const real = process.stdout.write.bind(process.stdout)
  process.stdout.write = (data: string | Uint8Array, ...rest: []) => {
    const text = data.toString()
    let { outside } = counted
    for (const piece of text.split(/(\u001B\[\?2026[hl])/)) {
      if (piece.startsWith("\u001B[?2026")) isInside = piece.endsWith("h")
      else if (!isInside) outside += Buffer.byteLength(piece)
    }
    counted = {
      bytes: counted.bytes + Buffer.byteLength(text),
      frames: counted.frames + text.split("\u001B[?2026h").length - 1,
      wipes: counted.wipes + text.split(/\u001B\[[23]J/).length - 1,
      outside,
    }
    return real(data, ...rest)
  }
  return () => {
    const now = counted
    counted = none
    return now
  }
}

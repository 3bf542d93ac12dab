import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"
import { createProcessTable, DEFAULT_GRACE, type Guardian, startGuarded, stopProcesses } from "@pawl/process-guard"
import { createOutputTail, lastLines } from "../bash/output-tail.ts"
import { createTerminalText } from "../bash/terminal-text.ts"
import { hasCode } from "../paths.ts"
import { MAX_TIMER_MS } from "../max-timer.ts"

export interface ProgramRun {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds; 0: no limit. */
  readonly timeout: number
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. Default: 1000. */
  readonly stopGrace?: number | undefined
  /** Ends the program if this process dies. */
  readonly guardian: Guardian
  readonly signal: AbortSignal
}

export type ProgramEnd =
  /** `exit` is null if a signal ended the program. */
  | { readonly type: "ended"; readonly exit: number | null; readonly output: string }
  | { readonly type: "late"; readonly output: string }
  | { readonly type: "not-started"; readonly reason: string }

const OUTPUT_TAIL = { lines: 60, bytes: 8 * 1024 }
// Background processes that the program started may keep its output open.
const DRAIN_MS = 100

/**
 * Runs a program without a shell and without stdin. Returns the end of its output, stdout and stderr together. On
 * timeout or abort, ends the program and everything it started: SIGTERM, then SIGKILL after `stopGrace`. Rejects with
 * the signal's reason.
 */
export async function runProgram(program: ProgramRun): Promise<ProgramEnd> {
  const { argv, cwd, env, timeout, stopGrace = DEFAULT_GRACE, guardian, signal } = program
  const { spawn } = await import("node:child_process")
  signal.throwIfAborted()
  const [name = "", ...args] = argv
  const { child, call, release } = startGuarded(guardian, { env, leads: true }, (marked) => {
    return spawn(name, args, { cwd, env: marked, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  })
  const tail = createOutputTail()
  const closed = Promise.all([child.stdout, child.stderr].map((stream) => readInto(stream, tail)))
  const ended = new Promise<ProgramEnd | undefined>((resolve) => {
    child.once("error", (error) => resolve({ type: "not-started", reason: reasonOf(error, name) }))
    child.once("exit", (exit) => resolve({ type: "ended", exit, output: "" }))
  })
  const stopped = Promise.withResolvers<undefined>()
  const onAbort = () => stopped.resolve(undefined)
  signal.addEventListener("abort", onAbort)
  const timer = timeout === 0 ? undefined : setTimeout(onAbort, Math.min(timeout, MAX_TIMER_MS))
  try {
    const end = await Promise.race([ended, stopped.promise])
    if (!end) await stopProcesses(call, createProcessTable(), stopGrace)
    await Promise.race([closed, delay(DRAIN_MS, undefined, { ref: false })])
    signal.throwIfAborted()
    const output = lastLines(tail.last(OUTPUT_TAIL.bytes), OUTPUT_TAIL).trimEnd()
    return end?.type === "not-started" ? end : { ...(end ?? { type: "late" }), output }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
    release()
  }
}

async function readInto(stream: Readable, tail: { add(text: string): void }): Promise<void> {
  const text = createTerminalText()
  stream.on("data", (chunk: Buffer) => tail.add(text.feed(chunk)))
  await new Promise<void>((resolve) => void stream.once("close", resolve))
  tail.add(text.end())
}

function reasonOf(error: Error, program: string): string {
  return hasCode(error, "ENOENT") ? `there is no program "${program}"` : error.message
}

import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"
import { STOP_GRACE } from "../bash/stop-processes.ts"
import { createOutputTail, lastLines } from "../bash/output-tail.ts"
import { createTerminalText } from "../bash/terminal-text.ts"
import { hasCode } from "../paths.ts"

export interface ProgramRun {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds; 0: as long as it takes. */
  readonly timeout: number
  /** Milliseconds from SIGTERM to SIGKILL; 0: it is never killed. Default: 1000. */
  readonly stopGrace?: number | undefined
  readonly signal: AbortSignal
}

export type ProgramEnd =
  /** `exit` is null where a signal ended it. */
  | { readonly type: "ended"; readonly exit: number | null; readonly output: string }
  | { readonly type: "late"; readonly output: string }
  | { readonly type: "not-started"; readonly reason: string }

const KEPT = { lines: 60, bytes: 8 * 1024 }
/** Killed processes are gone at once, unless one hangs in the kernel. */
const KILL_MS = 1000
/** A longer timer would go off at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1
// What it leaves in the background may hold its output open.
const DRAIN_MS = 100

/**
 * Runs a program without a shell and with nothing to read; resolves with the end of what it wrote, stdout and stderr
 * together. Late or aborted, it is ended with its process group: SIGTERM, and SIGKILL after `stopGrace`. Rejects with the
 * signal's reason.
 */
export async function runProgram(program: ProgramRun): Promise<ProgramEnd> {
  const { argv, cwd, env, timeout, stopGrace = STOP_GRACE, signal } = program
  const { spawn } = await import("node:child_process")
  signal.throwIfAborted()
  const [name = "", ...args] = argv
  const child = spawn(name, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const tail = createOutputTail()
  const closed = Promise.all([child.stdout, child.stderr].map((stream) => readInto(stream, tail)))
  const ended = new Promise<ProgramEnd | undefined>((resolve) => {
    child.once("error", (error) => resolve({ type: "not-started", reason: reasonOf(error, name) }))
    child.once("exit", (exit) => resolve({ type: "ended", exit, output: "" }))
  })
  const stopped = Promise.withResolvers<undefined>()
  const onAbort = () => stopped.resolve(undefined)
  signal.addEventListener("abort", onAbort)
  const timer = timeout === 0 ? undefined : setTimeout(onAbort, Math.min(timeout, LONGEST_TIMEOUT))
  try {
    const end = await Promise.race([ended, stopped.promise])
    if (!end) await stopGroup(child.pid, ended, stopGrace)
    await Promise.race([closed, delay(DRAIN_MS, undefined, { ref: false })])
    signal.throwIfAborted()
    const output = lastLines(tail.last(KEPT.bytes), KEPT).trimEnd()
    return end?.type === "not-started" ? end : { ...(end ?? { type: "late" }), output }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
}

async function readInto(stream: Readable, tail: { add(text: string): void }): Promise<void> {
  const text = createTerminalText()
  stream.on("data", (chunk: Buffer) => tail.add(text.feed(chunk)))
  await new Promise<void>((resolve) => void stream.once("close", resolve))
  tail.add(text.end())
}

async function stopGroup(leader: number | undefined, ended: Promise<unknown>, grace: number): Promise<void> {
  send(leader, "SIGTERM")
  await Promise.race([
    ended,
    ...(grace > 0 ? [delay(Math.min(grace, LONGEST_TIMEOUT), undefined, { ref: false })] : []),
  ])
  // Also what the leader left behind.
  send(leader, "SIGKILL")
  await Promise.race([ended, delay(KILL_MS, undefined, { ref: false })])
}

function send(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, signal)
  } catch (error) {
    // Gone already.
    if (!hasCode(error, "ESRCH", "EPERM")) throw error
  }
}

function reasonOf(error: Error, program: string): string {
  return hasCode(error, "ENOENT") ? `there is no program "${program}"` : error.message
}

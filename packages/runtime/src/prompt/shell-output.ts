import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"
import { truncate } from "@pawl/core/tool"
import type { Guardian } from "@pawl/process-guard"
import type { RunningCommand, Sandbox, Shell } from "@pawl/tools"

export interface ShellContext {
  readonly directory: string
  readonly worktree: string
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox?: Sandbox | undefined
  /** Shell that runs the command. Default: that of the tool bash. */
  readonly shell?: Shell | undefined
  /** Milliseconds from SIGTERM to SIGKILL. Default: that of the tool bash. */
  readonly stopGrace?: number | undefined
  /** Ends the command if this process dies. */
  readonly guardian: Guardian
  /** Aborts the command. */
  readonly signal?: AbortSignal | undefined
  /** Time limit in milliseconds. Default: 30 seconds. */
  readonly deadline?: number
}

const DEADLINE = 30_000
const STOPPED = "The command was stopped."
const SHOWN = { lines: 1000, bytes: 32 * 1024 }
/** Maximum number of bytes that are kept of each stream. */
const MAX_STREAM_BYTES = 1024 * 1024

/** Returns a command's output as a text for the model, with a note about a failure. Never rejects. */
export async function shellOutput(command: string, context: ShellContext): Promise<string> {
  const { stdout, note } = await run(command, context).catch((error: unknown) => {
    // A command that is stopped while it starts rejects.
    if (context.signal?.aborted) return { stdout: "", note: STOPPED }
    const message = error instanceof Error ? error.message : String(error)
    return { stdout: "", note: `The command could not be run: ${message}` }
  })
  const text = stdout.replace(/\n+$/, "")
  const cut = truncate(text, "head", SHOWN)
  const shown = cut ? `${cut.text}\n(${cut.droppedLines} more lines of the output are left out.)` : text
  return [shown, ...(note === undefined ? [] : [`(${note})`])].filter((each) => each !== "").join("\n")
}

interface Ended {
  readonly stdout: string
  readonly note?: string
}

/** Runs the command, and ends all processes that it started. */
async function run(command: string, context: ShellContext): Promise<Ended> {
  const { signal = new AbortController().signal, deadline = DEADLINE } = context
  const running = await start(command, { ...context, signal })
  const [stdout, stderr] = [collect(running.output), collect(running.stderr)]
  const stopped = Promise.withResolvers<"late" | "unwanted">()
  const timer = setTimeout(() => stopped.resolve("late"), deadline)
  const onAbort = () => stopped.resolve("unwanted")
  signal.addEventListener("abort", onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const reason = await Promise.race([running.ended.then(() => undefined), stopped.promise])
    // Also ends processes that the command left in the background.
    await running.stop()
    await Promise.race([Promise.all([stdout.closed, stderr.closed]), delay(DRAIN_MS, undefined, { ref: false })])
    const note = noteOf(reason, await running.ended, { deadline, stderr: stderr.text().trim() })
    return { stdout: stdout.text(), ...(note === undefined ? {} : { note }) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
    running.release()
    running.output.destroy()
    running.stderr?.destroy()
  }
}

async function start(
  command: string,
  {
    directory,
    worktree,
    environment,
    sandbox,
    shell,
    stopGrace,
    guardian,
    signal,
  }: ShellContext & { readonly signal: AbortSignal },
): Promise<RunningCommand> {
  const { startCommand } = await import("@pawl/tools")
  const workspace = { directory, worktree, cwd: directory }
  const onExit = await sandbox?.watch(workspace)
  return startCommand({
    ...{ command, cwd: directory, env: { ...environment, ...sandbox?.env }, shell, stopGrace, guardian, signal },
    ...{ isStderrApart: true, onExit },
    wrap: sandbox && ((argv) => sandbox.wrap(argv, workspace)),
  }).catch(async (error: unknown) => {
    await onExit?.()
    throw error
  })
}

function noteOf(
  reason: "late" | "unwanted" | undefined,
  { exit, signal }: Awaited<RunningCommand["ended"]>,
  { deadline, stderr }: { readonly deadline: number; readonly stderr: string },
): string | undefined {
  if (reason === "late") return `The command was stopped after ${deadline / 1000} seconds.`
  if (reason === "unwanted") return STOPPED
  if (exit === 0) return undefined
  return `The command ended with ${exit === null ? signal : `the exit code ${exit}`}. ${stderr.slice(0, MAX_STDERR)}`.trim()
}

/** Time to read the rest of the output. A process that could not be ended may keep it open. */
const DRAIN_MS = 1000
/** In characters. */
const MAX_STDERR = 2000

interface Collected {
  readonly text: () => string
  readonly closed: Promise<void>
}

function collect(stream: Readable | undefined): Collected {
  const chunks: Uint8Array[] = []
  let size = 0
  stream?.on("data", (chunk: Uint8Array) => {
    // The stream must be read to its end, because a full pipe would block the command.
    if (size < MAX_STREAM_BYTES) chunks.push(chunk.subarray(0, MAX_STREAM_BYTES - size))
    size += chunk.length
  })
  stream?.on("error", () => undefined)
  const closed = stream ? new Promise<void>((resolve) => void stream.once("close", resolve)) : Promise.resolve()
  return { text: () => Buffer.concat(chunks).toString("utf8"), closed }
}

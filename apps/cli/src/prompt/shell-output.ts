import { type ChildProcess, spawn } from "node:child_process"
import { truncate } from "@pawl/core"
import type { Sandbox } from "@pawl/tools"

export interface ShellPlace {
  readonly directory: string
  readonly worktree: string
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox?: Sandbox | undefined
  /** Ends what runs. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds; absent: 30 seconds. */
  readonly deadline?: number
}

const DEADLINE = 30_000
const SHOWN = { lines: 1000, bytes: 32 * 1024 }
/** Bytes of each stream that are kept. */
const KEPT = 1024 * 1024

/** What a command prints, as a text for the model, with a note of how it ended where that was not well. Never rejects. */
export async function shellOutput(command: string, place: ShellPlace): Promise<string> {
  const { stdout, note } = await run(command, place).catch((error: unknown) => {
    return {
      stdout: "",
      note: `The command could not be run: ${error instanceof Error ? error.message : String(error)}`,
    }
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

async function run(command: string, place: ShellPlace): Promise<Ended> {
  const { directory, worktree, environment, sandbox, signal, deadline = DEADLINE } = place
  const argv = ["sh", "-c", command]
  const [program = "", ...args] = (await sandbox?.wrap(argv, { directory, worktree, cwd: directory })) ?? argv
  signal?.throwIfAborted()
  const child = spawn(program, args, {
    ...{ cwd: directory, env: { ...environment, ...sandbox?.env }, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop(child)
  }, deadline)
  const onAbort = () => stop(child)
  signal?.addEventListener("abort", onAbort, { once: true })
  try {
    const ended = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      child.once("error", reject)
      // What the command leaves in the background may hold the pipes for ever.
      child.once("exit", (code, by) => void setTimeout(() => resolve({ code, signal: by }), LAST_WORDS))
      child.once("close", (code, by) => resolve({ code, signal: by }))
    })
    const end = isLate
      ? `The command was stopped after ${deadline / 1000} seconds.`
      : ended.code === 0
        ? undefined
        : `The command ended with ${ended.code === null ? ended.signal : `the exit code ${ended.code}`}. ${stderr().trim().slice(0, MOST_STDERR)}`.trim()
    return { stdout: stdout(), ...(end === undefined ? {} : { note: end }) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
    stop(child)
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

/** Milliseconds between a command's end and the last that is read of it. */
const LAST_WORDS = 200
/** Characters. */
const MOST_STDERR = 2000

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Uint8Array[] = []
  let size = 0
  stream.on("data", (chunk: Uint8Array) => {
    // It has to be read to the end all the same: a full pipe would hold the command up.
    if (size < KEPT) chunks.push(chunk.subarray(0, KEPT - size))
    size += chunk.length
  })
  stream.on("error", () => undefined)
  return () => Buffer.concat(chunks).toString("utf8")
}

/** All that it started, as far as it stayed in its group. */
function stop({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Nothing of it is left.
  }
}

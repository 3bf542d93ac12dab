import type { ChildProcessByStdio } from "node:child_process"
import type { Readable } from "node:stream"
import { recordSplitter } from "./record-splitter.ts"

/** Returns the path of ripgrep. Rejects with instructions if it is missing. */
export type RipgrepPath = () => Promise<string>

export interface RipgrepRun {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** File descriptor for stdin. Default: none. */
  readonly input?: number | undefined
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** A NUL, or the newline after a NUL. */
  readonly separator: "\0" | "\0\n"
  /** Returns false to end the search. */
  readonly onRecord: (record: string) => boolean
}

export interface RipgrepEnd {
  /** Set if some directories or files could not be read. */
  readonly isIncomplete: boolean
}

/** Ignores the user's ripgrep configuration. Includes hidden files; excludes ignored files and `.git`. */
export const COMMON_ARGS = [
  "--no-config",
  "--no-messages",
  "--hidden",
  "--no-require-git",
  "--glob=!.git",
  "--sort=path",
]

export async function bundledRipgrep(): Promise<string> {
  try {
    return (await import("@vscode/ripgrep")).rgPath
  } catch (error) {
    throw new Error(
      `The search program (ripgrep) for ${process.platform}-${process.arch} is missing. ` +
        "Reinstall pawl with optional dependencies, or search with bash.",
      { cause: error },
    )
  }
}

/**
 * Runs ripgrep and passes its records to `onRecord`, the first 256 KiB of each. Rejects with ripgrep's message if the
 * pattern is invalid.
 */
export async function runRipgrep({
  program,
  args,
  cwd,
  input,
  env,
  signal,
  separator,
  onRecord,
}: RipgrepRun): Promise<RipgrepEnd> {
  const { spawn } = await import("node:child_process")
  signal.throwIfAborted()
  const stdio = [input ?? "ignore", "pipe", "pipe"] as const
  const child = spawn(program, args, { cwd, env, stdio: [...stdio] }) as ChildProcessByStdio<null, Readable, Readable>
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  const kill = () => child.kill("SIGKILL")
  signal.addEventListener("abort", kill)

  let isStopped = false
  async function readRecords(): Promise<void> {
    const split = recordSplitter(separator)
    try {
      for await (const chunk of child.stdout) {
        isStopped = !split(chunk as Buffer).every(onRecord)
        if (isStopped) break
      }
    } catch (error) {
      kill()
      throw error
    }
    if (isStopped) kill()
  }
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(0, 4096)
  })
  try {
    const [exit] = await Promise.all([ended, readRecords()])
    signal.throwIfAborted()
    if (isStopped || exit === 0 || exit === 1) return { isIncomplete: false }
    // With --no-messages, unreadable files are silent, so a message means that the call is invalid.
    if (stderr.trim() !== "" || exit !== 2) throw new Error(stderr.trim() || `ripgrep ended unexpectedly (${exit}).`)
    return { isIncomplete: true }
  } finally {
    signal.removeEventListener("abort", kill)
  }
}

import { type ChildProcess, spawn } from "node:child_process"
import { guardianScript } from "./guardian-script.ts"
import { createMark, MARK } from "./mark.ts"

/**
 * Ends the servers of this process when it ends without a chance to do so itself. One small shell for all of them, in a
 * session of its own, started with the first server and ended with the last.
 */
export interface Guardian {
  /** The value of the variable `MARK` for servers, to which each adds `:number`. */
  readonly mark: string
  /** The shell's process id, while there is one. */
  readonly pid: number | undefined
  /** Call it before a server is started: from then on what carries the mark is ended with this process. */
  guard(): void
  /** A server leads this process group. */
  add(group: number): void
  remove(group: number): void
  /** Ends what is left. Resolves when the guardian has ended. */
  close(): Promise<void>
}

export function createGuardian(): Guardian {
  const mark = createMark()
  const groups = new Set<number>()
  let shell: ChildProcess | undefined
  let isClosing = false

  function start(): ChildProcess | undefined {
    // Windows has neither process groups nor this shell: there servers end with their standard input.
    if (process.platform === "win32") return undefined
    const started = spawn("/bin/sh", ["-c", guardianScript, "pawl-mcp-guardian", `${MARK}=${mark}`], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      cwd: "/",
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    })
    started.stdin?.on("error", () => undefined)
    started.on("error", () => undefined)
    started.on("exit", () => {
      if (shell === started) shell = undefined
      // Somebody ended it: without one the servers would be left behind.
      if (!isClosing && groups.size > 0) guard()
    })
    started.unref()
    // Neither keeps this process from ending.
    ;(started.stdin as (typeof started.stdin & { unref?(): void }) | null)?.unref?.()
    return started
  }

  function guard(): void {
    if (shell) return
    shell = start()
    for (const group of groups) tell("+", group)
  }

  function tell(sign: "+" | "-", group: number): void {
    shell?.stdin?.write(`${sign} ${group}\n`)
  }

  return {
    mark,
    get pid() {
      return shell?.pid
    },
    guard,
    add(group) {
      guard()
      groups.add(group)
      tell("+", group)
    },
    remove(group) {
      if (!groups.delete(group)) return
      tell("-", group)
    },
    async close() {
      const closing = shell
      if (!closing) return
      isClosing = true
      try {
        const { promise, resolve } = Promise.withResolvers<void>()
        closing.once("exit", () => resolve())
        closing.ref()
        closing.stdin?.end()
        if (closing.exitCode === null && closing.signalCode === null) await promise
      } finally {
        isClosing = false
      }
    },
  }
}

import { type ChildProcess, spawn } from "node:child_process"
import type { Writable } from "node:stream"
import { guardianScript } from "./guardian-script.ts"
import { type ProcessSource, systemSource } from "./process-table.ts"

/**
 * Ends processes of this process if it dies without a chance to do so itself. One small shell for all of them, in a
 * session of its own.
 */
export interface Guardian {
  /** The shell's process id, while there is one. */
  readonly pid: number | undefined
  /**
   * Guards what carries the token in its environment, and starts the shell. Call it before such a process is started: from
   * then on it ends with this process, however that ends.
   */
  readonly guard: (token: string) => Guarded
  /** The same without the shell: the token is guarded once `start` or another `guard` has started it. */
  readonly guardLater: (token: string) => Guarded
  /** Starts the shell, unless it runs. */
  readonly start: () => void
  /** Sets the milliseconds from SIGTERM to SIGKILL; 0: no SIGKILL. */
  readonly setGrace: (grace: number) => void
  /** Ends what is still guarded. Resolves when the shell has ended. What is guarded meanwhile is guarded by another shell. */
  readonly close: () => Promise<void>
}

export interface Guarded {
  /** Guards this process group as well, for processes that have lost the environment. */
  readonly lead: (group: number) => void
  /** The group's id may be reused from now on: only the token counts. */
  readonly forgetLeader: () => void
  /** Processes with the token may outlive this process. A second call does nothing. */
  readonly release: () => void
}

export interface GuardianOptions {
  /** The shell's name in a list of processes. Default: pawl-guard. */
  readonly name?: string
  /** Milliseconds from SIGTERM to SIGKILL; 0: no SIGKILL. Default: 1000. */
  readonly grace?: number | undefined
  /** How the shell finds processes by their environment. Default: as this system shows it. */
  readonly source?: ProcessSource | undefined
  /** Called before the shell is started for the first time. */
  readonly onStart?: () => void
}

export const DEFAULT_GRACE = 1000
/** A token stands in a line of words, and must not be part of other words by chance. */
const TOKEN = /^[\w.-]{16,256}$/

const RESTART_MS = 50

export function createGuardian(options: GuardianOptions = {}): Guardian {
  const { name = "pawl-guard", source = systemSource() } = options
  const live = new Map<string, number | undefined>()
  let grace = toTenths(options.grace ?? DEFAULT_GRACE)
  let onStart = options.onStart
  let shell: ChildProcess | undefined
  let closing = Promise.resolve()
  let hasStarted = false

  function start(): void {
    // Windows has neither process groups nor this shell.
    if (shell || process.platform === "win32") return
    onStart?.()
    onStart = undefined
    hasStarted = true
    const started = spawnShell(name, source)
    shell = started
    // Also of a shell that could not be started, which never exits.
    started.on("close", () => {
      if (shell === started) shell = undefined
      // A shell that cannot run, as at the limit of processes, must not be started in a tight loop.
      setTimeout(() => {
        if (live.size > 0) start()
      }, RESTART_MS).unref()
    })
    say(`= ${grace}`)
    for (const [token, group] of live) add(token, group)
  }

  function say(line: string): void {
    shell?.stdin?.write(`${line}\n`)
  }

  function add(token: string, group: number | undefined): void {
    say(`+ ${token}${group === undefined ? "" : ` ${group}`}`)
  }

  function change(token: string, group: number | undefined): void {
    if (!live.has(token)) return
    live.set(token, group)
    add(token, group)
  }

  function guardLater(token: string): Guarded {
    if (!TOKEN.test(token)) throw new RangeError(`A token of ${token.length} characters cannot be guarded.`)
    live.set(token, undefined)
    add(token, undefined)
    return {
      lead: (group) => change(token, group),
      forgetLeader: () => change(token, undefined),
      release() {
        if (live.delete(token)) say(`- ${token}`)
      },
    }
  }

  return {
    get pid() {
      return shell?.pid
    },
    guard(token) {
      const guarded = guardLater(token)
      start()
      return guarded
    },
    ...{ guardLater, start },
    setGrace(milliseconds) {
      grace = toTenths(milliseconds)
      say(`= ${grace}`)
    },
    close() {
      // It may have been killed just now, and is about to be replaced.
      if (!shell && hasStarted && live.size > 0) start()
      const last = shell
      if (!last) return closing
      // Whoever is guarded from now on gets a shell that does not end.
      shell = undefined
      live.clear()
      const ended = closing
      closing = endOf(last).then(() => ended)
      return closing
    },
  }
}

/** Has the shell end what it guards. */
async function endOf(shell: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  shell.once("close", () => resolve())
  shell.ref()
  shell.stdin?.end()
  if (shell.pid !== undefined && shell.exitCode === null && shell.signalCode === null) await promise
}

/** Neither the shell nor what is written to it keeps this process from ending. */
function spawnShell(name: string, source: ProcessSource | undefined): ChildProcess {
  const ps = typeof source === "object" ? source.ps : ""
  const shell: ChildProcess = spawn("/bin/sh", ["-c", guardianScript, name, ps], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
  })
  // Absent where there are no descriptors left.
  shell.stdin?.on("error", () => undefined)
  shell.on("error", () => undefined)
  shell.unref()
  const stdin: (Writable & { unref?(): void }) | null = shell.stdin
  stdin?.unref?.()
  return shell
}

/** Of a second. 0: never. */
function toTenths(milliseconds: number): number {
  return milliseconds === 0 ? 0 : Math.max(1, Math.min(Math.round(milliseconds / 100), 36_000))
}

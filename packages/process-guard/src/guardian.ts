import { type ChildProcess, spawn } from "node:child_process"
import type { Writable } from "node:stream"
import { guardianScript } from "./guardian-script.ts"
import { type ProcessSource, systemSource } from "./process-table.ts"

/** Ends child processes if this process dies unexpectedly. Uses one small shell for all of them, in its own session. */
export interface Guardian {
  /** Process id of the shell while it runs. */
  readonly pid: number | undefined
  /**
   * Guards processes with the token in their environment and starts the shell. Call it before starting such a process;
   * from then on the process ends with this one in any case.
   */
  readonly guard: (token: string) => Guarded
  /**
   * Like `guard` without starting the shell. The token is guarded when `start` or another `guard` has started the
   * shell.
   */
  readonly guardLater: (token: string) => Guarded
  /** Starts the shell unless it runs. */
  readonly start: () => void
  /** Sets the milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. */
  readonly setGrace: (grace: number) => void
  /** Ends everything that is guarded. Resolves when the shell has ended. Later guards use another shell. */
  readonly close: () => Promise<void>
}

export interface Guarded {
  /** Also guards this process group, for processes without the token in their environment. */
  readonly lead: (group: number) => void
  /** Stops guarding the group, because its id may be reused. The token stays guarded. */
  readonly forgetLeader: () => void
  /** Lets processes with the token outlive this process. A second call does nothing. */
  readonly release: () => void
}

export interface GuardianOptions {
  /** Name of the shell in process lists. Default: pawl-guard. */
  readonly name?: string
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. Default: 1000. */
  readonly grace?: number | undefined
  /** How the shell finds processes by their environment. Default: the system's way. */
  readonly source?: ProcessSource | undefined
  /** Called before the shell is started for the first time. */
  readonly onStart?: () => void
}

export const DEFAULT_GRACE = 1000
/** A token is a part of a command line and must be unlikely to occur by chance. */
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
    // Also emitted for a shell that could not be started, which never exits.
    started.on("close", () => {
      if (shell === started) shell = undefined
      // Delays the restart, because a shell that cannot run (too many processes) would be restarted in a tight loop.
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
      // The shell may have been killed just now and not be replaced yet.
      if (!shell && hasStarted && live.size > 0) start()
      const last = shell
      if (!last) return closing
      // Processes that are guarded from now on get a new shell.
      shell = undefined
      live.clear()
      const ended = closing
      closing = endOf(last).then(() => ended)
      return closing
    },
  }
}

/** Makes the shell end everything that it guards. */
async function endOf(shell: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  shell.once("close", () => resolve())
  shell.ref()
  shell.stdin?.end()
  if (shell.pid !== undefined && shell.exitCode === null && shell.signalCode === null) await promise
}

/** Neither the shell nor its stdin keeps this process alive. */
function spawnShell(name: string, source: ProcessSource | undefined): ChildProcess {
  const ps = typeof source === "object" ? source.ps : ""
  const shell: ChildProcess = spawn("/bin/sh", ["-c", guardianScript, name, ps], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
  })
  // Missing if no file descriptors are left.
  shell.stdin?.on("error", () => undefined)
  shell.on("error", () => undefined)
  shell.unref()
  const stdin: (Writable & { unref?(): void }) | null = shell.stdin
  stdin?.unref?.()
  return shell
}

/** Converts to tenths of a second. 0: never. */
function toTenths(milliseconds: number): number {
  return milliseconds === 0 ? 0 : Math.max(1, Math.min(Math.round(milliseconds / 100), 36_000))
}

import { statSync } from "node:fs"
import { createRequire } from "node:module"
import type * as NodePty from "@lydell/node-pty"
import { findProgram } from "./which.ts"

export interface TerminalOptions {
  /** Value of the variable `TERM`. */
  readonly name?: string
  readonly cols?: number
  readonly rows?: number
  readonly cwd?: string
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>
}

export interface TerminalExit {
  readonly exitCode: number
  readonly signal?: number
}

interface Disposable {
  dispose(): void
}

/** Runs a program in a new terminal: the interface of `bun-pty`, with the terminals of node-pty. */
export class Terminal {
  readonly #pty: NodePty.IPty
  #isKilled = false

  /** Throws if the program or the directory does not exist, or if this system has no terminals. */
  constructor(file = "sh", args: readonly string[] = [], options: TerminalOptions = {}) {
    const { name = "xterm", cols = 80, rows = 24, cwd = process.cwd() } = options
    const env = { ...process.env, ...options.env }
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw failure(`${cwd} is not a directory.`)
    const program = findProgram(file, { cwd, env })
    if (program === undefined) throw failure(`there is no program ${JSON.stringify(file)}.`)
    this.#pty = nodePty().spawn(program, [...args], { name, cols, rows, cwd, env })
  }

  get pid(): number {
    return this.#pty.pid
  }
  get cols(): number {
    return this.#pty.cols
  }
  get rows(): number {
    return this.#pty.rows
  }
  get process(): string {
    return this.#pty.process
  }

  onData(listener: (data: string) => void): Disposable {
    return this.#pty.onData(listener)
  }
  onExit(listener: (exit: TerminalExit) => void): Disposable {
    return this.#pty.onExit(({ exitCode, signal }) => listener({ exitCode, ...(signal ? { signal } : {}) }))
  }
  write(data: string): void {
    if (!this.#isKilled) this.#pty.write(data)
  }
  resize(cols: number, rows: number): void {
    if (!this.#isKilled) this.#pty.resize(cols, rows)
  }
  /** Default: SIGHUP, which a closing terminal sends. Shells end on it, but ignore SIGTERM. */
  kill(signal?: string): void {
    if (this.#isKilled) return
    this.#isKilled = true
    // Windows has no signals.
    if (process.platform === "win32") this.#pty.kill()
    else this.#pty.kill(signal ?? "SIGHUP")
  }
}

/** Loaded with the first terminal, because it is a native library that exists only for common systems. */
function nodePty(): typeof NodePty {
  try {
    return createRequire(import.meta.url)("@lydell/node-pty") as typeof NodePty
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause)
    const system = `${process.platform} on ${process.arch}`
    throw new Error(`bun-pty has no terminals in pawl for ${system}: @lydell/node-pty cannot be loaded. ${why}`, {
      cause,
    })
  }
}

function failure(why: string): Error {
  return new Error(`The terminal cannot be opened: ${why}`)
}

import { type ChildProcess, spawn as start, spawnSync as startSync } from "node:child_process"
import { Readable, Writable } from "node:stream"
import { type Guardian, runGuardedSync, startGuarded } from "@pawl/process-guard"
import { BunFile } from "./bun-file.ts"
import { exitCodeOf } from "./exit-code.ts"

/** `pipe`, `inherit`, `ignore` or a descriptor; for the input also what the process is to read. */
export type Stdio = string | number | null | undefined | Uint8Array | Blob | BunFile

export interface SpawnOptions {
  readonly cmd?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: Stdio
  readonly stdout?: Stdio
  readonly stderr?: Stdio
  readonly stdio?: readonly [Stdio?, Stdio?, Stdio?]
  readonly onExit?: (process: Subprocess, exitCode: number | null, signalCode: string | null, error?: Error) => void
  readonly signal?: AbortSignal
  /** Milliseconds. */
  readonly timeout?: number
  readonly killSignal?: NodeJS.Signals | number
  readonly windowsHide?: boolean
}

/** A process as Bun hands it out. `stdout` and `stderr` are streams where they are piped. */
export interface Subprocess {
  readonly pid: number
  readonly stdin: ReturnType<typeof inputOf>
  readonly stdout: BunStream | undefined
  readonly stderr: BunStream | undefined
  readonly exited: Promise<number>
  readonly exitCode: number | null
  readonly signalCode: string | null
  readonly killed: boolean
  kill(signal?: NodeJS.Signals | number): void
  ref(): void
  unref(): void
  [Symbol.asyncDispose](): Promise<void>
}

/** A stream of the web's kind with what Bun has on all of them. */
export interface BunStream extends ReadableStream {
  text(): Promise<string>
  json(): Promise<unknown>
  bytes(): Promise<Uint8Array>
  blob(): Promise<Blob>
}

/** `spawn` throws if the program cannot be started, as far as that is known at once. `spawnSync` runs it to its end. */
export function createSpawn(guardian: Guardian) {
  type Given = readonly [given: readonly string[] | SpawnOptions, more?: SpawnOptions]
  return {
    spawn: (...given: Given) => spawn(guardian, ...given),
    spawnSync: (...given: Given) => spawnSync(guardian, ...given),
  }
}

function spawn(guardian: Guardian, given: readonly string[] | SpawnOptions, more: SpawnOptions = {}): Subprocess {
  const { command, args, options } = arrange(given, more)
  const [stdin, stdout, stderr] = channels(options, ["ignore", "pipe", "inherit"])
  const input = isContent(stdin) ? "pipe" : (stdin ?? "ignore")
  const { child, release } = startGuarded(guardian, { env: options.env ?? process.env }, (env) => {
    return start(command, args, {
      ...common(options),
      ...{ env, stdio: [input, stdout ?? "ignore", stderr ?? "ignore"] as ("pipe" | "inherit" | "ignore" | number)[] },
      ...(options.signal ? { signal: options.signal } : {}),
    })
  })
  child.once("exit", release)
  child.stdin?.on("error", () => undefined)
  if (isContent(stdin)) void contentOf(stdin).then((bytes) => child.stdin?.end(bytes))
  const exited = ended(child)
  const subprocess: Subprocess = {
    pid: child.pid ?? -1,
    stdin: inputOf(child, stdin),
    stdout: child.stdout ? streamOf(child.stdout) : undefined,
    stderr: child.stderr ? streamOf(child.stderr) : undefined,
    exited,
    get exitCode() {
      return child.exitCode
    },
    get signalCode() {
      return child.signalCode
    },
    get killed() {
      return child.killed
    },
    kill: (signal) => void child.kill(signal),
    ref: () => child.ref(),
    unref: () => child.unref(),
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited.catch(() => undefined)
    },
  }
  const { onExit } = options
  if (onExit)
    exited.then(
      (code) => onExit(subprocess, code, child.signalCode),
      (error: Error) => onExit(subprocess, null, null, error),
    )
  // Who does not ask how it ended is not to be told by a crash.
  exited.catch(() => undefined)
  return subprocess
}

function spawnSync(guardian: Guardian, given: readonly string[] | SpawnOptions, more: SpawnOptions = {}) {
  const { command, args, options } = arrange(given, more)
  const [stdin, stdout, stderr] = channels(options, ["ignore", "pipe", "pipe"])
  const end = runGuardedSync(guardian, options.env ?? process.env, (env) => {
    return startSync(command, args, {
      ...{ ...common(options), env },
      ...(isContent(stdin) && !(stdin instanceof Blob || stdin instanceof BunFile) ? { input: stdin } : {}),
      stdio: [isContent(stdin) ? "pipe" : (stdin ?? "ignore"), stdout ?? "ignore", stderr ?? "ignore"] as "pipe"[],
    })
  })
  if (end.error && end.status === null && end.signal === null) throw end.error
  return {
    pid: end.pid,
    exitCode: exitCodeOf(end.status, end.signal),
    ...(end.signal ? { signalCode: end.signal } : {}),
    success: end.status === 0,
    stdout: end.stdout as Buffer | undefined,
    stderr: end.stderr as Buffer | undefined,
  }
}

function arrange(given: readonly string[] | SpawnOptions, more: SpawnOptions) {
  const options: SpawnOptions = Array.isArray(given) ? more : (given as SpawnOptions)
  const words = (Array.isArray(given) ? given : options.cmd) as readonly string[] | undefined
  const [command, ...args] = words ?? []
  if (command === undefined)
    throw new TypeError("There is no program to start: give its name and arguments in an array.")
  return { command, args, options }
}

function common({ cwd, timeout, killSignal, windowsHide = true }: SpawnOptions) {
  return {
    windowsHide,
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(killSignal === undefined ? {} : { killSignal }),
  }
}

type Channels = readonly [Stdio, Stdio, Stdio]

function channels({ stdio = [], stdin, stdout, stderr }: SpawnOptions, [first, second, third]: Channels): Channels {
  return [stdin ?? stdio[0] ?? first, stdout ?? stdio[1] ?? second, stderr ?? stdio[2] ?? third]
}

function isContent(channel: Stdio): channel is Uint8Array | Blob | BunFile | string {
  return (
    channel instanceof Uint8Array ||
    channel instanceof Blob ||
    channel instanceof BunFile ||
    (typeof channel === "string" && !["pipe", "inherit", "ignore"].includes(channel))
  )
}

async function contentOf(content: Uint8Array | Blob | BunFile | string): Promise<Uint8Array | string> {
  return content instanceof Blob || content instanceof BunFile ? new Uint8Array(await content.arrayBuffer()) : content
}

/** Bun's writer, which is also a stream of the web's kind. */
function inputOf(child: ChildProcess, channel: Stdio) {
  const { stdin } = child
  if (!stdin || channel !== "pipe") return undefined
  return {
    write: (chunk: string | Uint8Array) => void stdin.write(chunk),
    flush: () => undefined,
    end: (chunk?: string | Uint8Array) => void (chunk === undefined ? stdin.end() : stdin.end(chunk)),
    getWriter: () => (Writable.toWeb(stdin) as WritableStream).getWriter(),
  }
}

function streamOf(readable: Readable): BunStream {
  const stream = Readable.toWeb(readable) as ReadableStream
  const read = () => new Response(stream)
  return Object.assign(stream, {
    text: () => read().text(),
    json: () => read().json(),
    bytes: async () => new Uint8Array(await read().arrayBuffer()),
    blob: () => read().blob(),
  })
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (error) => {
      // A signal that ends it is no failure to start it.
      if (child.pid === undefined) reject(error)
    })
    // Not when its output was read to the end: that is done after waiting for this, as often as not.
    child.on("exit", (code, signal) => resolve(exitCodeOf(code, signal)))
  })
}

import { type ChildProcess, spawn as start, spawnSync as startSync } from "node:child_process"
import { Readable, Writable } from "node:stream"
import { type Guardian, runGuardedSync, startGuarded } from "@pawl/process-guard"
import { BunFile } from "./bun-file.ts"
import { exitCodeOf } from "./exit-code.ts"

/** `pipe`, `inherit`, `ignore` or a file descriptor. For the input also the content that the process reads. */
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
  /** In milliseconds. */
  readonly timeout?: number
  readonly killSignal?: NodeJS.Signals | number
  readonly windowsHide?: boolean
}

/** A process of Bun. `stdout` and `stderr` are streams if they are piped. */
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

/** A web stream with the methods that Bun adds to streams. */
export interface BunStream extends ReadableStream {
  text(): Promise<string>
  json(): Promise<unknown>
  bytes(): Promise<Uint8Array>
  blob(): Promise<Blob>
}

/**
 * `spawn` throws if it is known immediately that the program cannot be started. `spawnSync` waits for the program's
 * end.
 */
export function createSpawn(guardian: Guardian) {
  type Given = readonly [given: readonly string[] | SpawnOptions, more?: SpawnOptions]
  return {
    spawn: (...given: Given) => spawn(guardian, ...given),
    spawnSync: (...given: Given) => spawnSync(guardian, ...given),
  }
}

function spawn(guardian: Guardian, given: readonly string[] | SpawnOptions, more: SpawnOptions = {}): Subprocess {
  const { command, args, options } = readCommand(given, more)
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
  // A failure must not end this process if the caller does not wait for `exited`.
  exited.catch(() => undefined)
  return subprocess
}

function spawnSync(guardian: Guardian, given: readonly string[] | SpawnOptions, more: SpawnOptions = {}) {
  const { command, args, options } = readCommand(given, more)
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

function readCommand(given: readonly string[] | SpawnOptions, more: SpawnOptions) {
  const options: SpawnOptions = Array.isArray(given) ? more : (given as SpawnOptions)
  const commandLine = (Array.isArray(given) ? given : options.cmd) as readonly string[] | undefined
  const [command, ...args] = commandLine ?? []
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

/** Bun's writer, which is also a web stream. */
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
      // An error after the start, for example of a signal, is not a failure to start.
      if (child.pid === undefined) reject(error)
    })
    // Not `close`, which waits for the output: callers often read the output only after the exit.
    child.on("exit", (code, signal) => resolve(exitCodeOf(code, signal)))
  })
}

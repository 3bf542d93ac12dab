import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { createSecrets } from "@pawl/secrets"
import { onTestFinished } from "vitest"
import type { EndingSignal, Host } from "../src/host.ts"
import { noLog } from "@pawl/runtime/logging/log"
import type { Output } from "../src/output/output.ts"

/** An output that keeps what is written to it. */
export interface CapturedOutput extends Output {
  /** Everything written so far. */
  readonly text: () => string
}

export interface CapturedOutputOptions {
  readonly isTerminal?: boolean
  readonly columns?: number
}

export function capturedOutput({ isTerminal = false, columns = 80 }: CapturedOutputOptions = {}): CapturedOutput {
  let text = ""
  return {
    ...{ isTerminal, columns, gone: new AbortController().signal, stream: new PassThrough() },
    write: (more) => void (text += more),
    flushed: () => Promise.resolve(),
    text: () => text,
  }
}

/** Goes to the beginning of the line and empties it. */
const CLEAR_LINE = "\r\u001B[2K"

/** Answer and notes on one terminal, and what its user sees. */
export function sharedTerminal(columns = 80): { stdout: Output; stderr: Output; text: () => string } {
  let text = ""
  const output: Output = {
    ...capturedOutput({ isTerminal: true, columns }),
    write(more) {
      const [before = "", ...drawn] = more.split(CLEAR_LINE)
      text += before
      for (const line of drawn) text = text.slice(0, text.lastIndexOf("\n") + 1) + line
    },
  }
  return { stdout: output, stderr: output, text: () => text }
}

export interface TestHost extends Host {
  readonly stdout: CapturedOutput
  readonly stderr: CapturedOutput
  /** What a signal does. */
  readonly send: (signal: EndingSignal) => void
  /** The codes that the process would have ended with at once. */
  readonly exits: readonly number[]
}

/** A process of a test's own, in a directory that does not exist. */
export function testHost(changes: Partial<Host> = {}): TestHost {
  const listeners = new Set<(signal: EndingSignal) => void>()
  const exits: number[] = []
  const environment = { ...changes.environment }
  let guard: ReturnType<Host["guard"]> | undefined
  return {
    ...{ directory: "/nowhere", home: undefined, program: "pawl", demoDirectory: "/nowhere" },
    secrets: createSecrets(),
    log: noLog,
    stdin: Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.ReadStream,
    onPrinted: () => () => undefined,
    explainExit: () => () => undefined,
    watchThread: () => undefined,
    reportExit: () => () => undefined,
    onSignal(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    exit: (code) => void exits.push(code),
    guard: () => (guard ??= import("@pawl/process-guard").then(({ guardProcess }) => guardProcess(environment))),
    ...{ ...changes, environment },
    ...{ stdout: capturedOutput(), stderr: capturedOutput(), exits },
    send: (signal) => {
      for (const listener of listeners) listener(signal)
    },
  }
}

/** A directory that is removed when the test ends. Absolute, without symbolic links. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-cli-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  return directory
}

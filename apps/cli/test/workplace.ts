import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url))

/** How a run of the CLI ended, and everything it printed. */
export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  /** Resolves when stderr holds the text; rejects when the process ends before. */
  said(text: string): Promise<void>
}

/** Directories of a test's own, and the CLI run in them from sources. */
export interface Workplace {
  readonly project: string
  readonly data: string
  readonly configuration: string
  start(args: readonly string[], options?: StartOptions): Running
  pawl(args: readonly string[], options?: StartOptions): Promise<Finished>
}

export interface StartOptions {
  readonly stdin?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly directory?: string
}

export async function workplace(): Promise<Workplace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pawl-cli-")))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
  const [project, data, configuration] = ["project", "data", "configuration"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  await Promise.all([mkdir(project), mkdir(configuration)])

  function start(args: readonly string[], { stdin, environment, directory = project }: StartOptions = {}): Running {
    const env = {
      // The Node of the tests before any other, for commands that tools run.
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      HOME: root,
      PAWL_DATA_DIR: data,
      PAWL_CONFIG_DIR: configuration,
      ...environment,
    }
    const child = spawn(process.execPath, ["--conditions=@pawl/source", MAIN, ...args], { cwd: directory, env })
    onTestFinished(() => void child.kill("SIGKILL"))
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.stdin.on("error", () => undefined).end(stdin)
    const finished = once(child, "close").then(() => ({ code: child.exitCode, stdout, stderr }))
    return {
      child,
      finished,
      async said(text) {
        while (!stderr.includes(text)) {
          const ended = await Promise.race([once(child.stderr, "data").then(() => false), finished.then(() => true)])
          if (ended && !stderr.includes(text)) throw new Error(`pawl ended without saying "${text}", but:\n${stderr}`)
        }
      },
    }
  }
  return { project, data, configuration, start, pawl: (args, options) => start(args, options).finished }
}

/** The JSON objects that stand one a line in a text. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

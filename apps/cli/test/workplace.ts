import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject, onTestFinished } from "vitest"
import { temporaryDirectory } from "./host.ts"

/** How Node starts the bundle that `global-setup.ts` made of the sources as they are now. */
export const built: readonly string[] = [process.execPath, join(inject("built"), "dist/main.js")]

/** How Node starts the sources themselves, three times slower. */
export const fromSources: readonly string[] = [
  ...[process.execPath, "--conditions=@pawl/source"],
  fileURLToPath(new URL("../src/main.ts", import.meta.url)),
]

/** Where Node keeps what it compiled, for all tests of a run: with a place of its own each child would compile everything again. */
export const CACHE = join(inject("built"), "cache")

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
  readonly said: (text: string) => Promise<void>
}

/** Directories of a test's own, and the CLI run in them. */
export interface Workplace {
  readonly project: string
  readonly data: string
  readonly configuration: string
  readonly start: (args: readonly string[], options?: StartOptions) => Running
  readonly pawl: (args: readonly string[], options?: StartOptions) => Promise<Finished>
}

export interface StartOptions {
  readonly stdin?: string | Uint8Array
  /** Leaves its stdin to the caller. */
  readonly isOpen?: boolean
  readonly environment?: Readonly<Record<string, string>>
  readonly directory?: string
  /** What starts the process, in front of its own command line. */
  readonly prefix?: readonly string[]
}

export async function workplace(command = built): Promise<Workplace> {
  const root = await temporaryDirectory()
  const [project, data, configuration] = ["project", "data", "configuration"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  await Promise.all([mkdir(project), mkdir(configuration)])

  function start(
    args: readonly string[],
    { stdin, isOpen = false, environment, directory = project, prefix = [] }: StartOptions = {},
  ): Running {
    const env = {
      // The Node of the tests before any other, for commands that tools run.
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      HOME: root,
      XDG_CACHE_HOME: CACHE,
      PAWL_DATA_DIR: data,
      PAWL_CONFIG_DIR: configuration,
      ...environment,
    }
    const [program = "", ...rest] = [...prefix, ...command, ...args]
    const child = spawn(program, rest, { cwd: directory, env })
    onTestFinished(() => void child.kill("SIGKILL"))
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.stdin.on("error", () => undefined)
    if (!isOpen) child.stdin.end(stdin)
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

/** A shell that runs commands and then becomes the process. */
export function inShell(commands: string): readonly string[] {
  return ["sh", "-c", `${commands} && exec "$@"`, "sh"]
}

/** The same, and what the commands mount is there for this process only. */
export function inMountNamespace(commands: string): readonly string[] {
  return ["unshare", "--mount", ...inShell(commands)]
}

/** Whether this user may mount what tests of full and read-only disks need. */
export const canMount =
  spawnSync("unshare", [...inMountNamespace("mount -t tmpfs tmpfs /mnt").slice(1), "true"]).status === 0

/** The JSON objects that stand one a line in a text. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

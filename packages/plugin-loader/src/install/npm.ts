import { spawn } from "node:child_process"
import { createProcessTable, DEFAULT_GRACE, type Guardian, startGuarded, stopProcesses } from "@pawl/process-guard"
import { PluginError } from "../problem.ts"
import { npmEnvironment } from "./environment.ts"

export interface Npm {
  /** The program, searched on PATH, and arguments before npm's own. */
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends npm if this process dies. */
  readonly guardian: Guardian
}

const FLAGS = [
  ...["--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--no-update-notifier", "--omit=dev"],
  ...["--package-lock=true", "--install-strategy=hoisted", "--global=false", "--loglevel=error"],
  // Without a network npm would retry for minutes.
  ...["--fetch-retries=1", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"],
]

const TAIL = 8_000

/** Runs `npm install` in a directory. Throws PluginError with the next step. Aborting ends npm. */
export async function npmInstall(
  { command: [program, ...first], env, guardian }: Npm,
  request: {
    readonly directory: string
    readonly spec: string
    readonly omitPeers: boolean
    readonly signal?: AbortSignal
  },
): Promise<void> {
  const { directory, spec, omitPeers, signal } = request
  const args = [...first, "install", ...FLAGS, ...(omitPeers ? ["--omit=peer"] : []), "--", spec]
  const { child, call, release } = startGuarded(guardian, { env: npmEnvironment(env) }, (marked) => {
    return spawn(program, args, {
      ...{ cwd: directory, env: marked, stdio: ["ignore", "ignore", "pipe"], windowsHide: true },
      ...(signal ? { signal } : {}),
    })
  })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-TAIL)))
  const ended = new Promise<number | null>((end, failed) => {
    child.on("error", failed)
    child.on("close", end)
  })
  try {
    const code = await ended
    signal?.throwIfAborted()
    if (code !== 0) throw new PluginError("install", installFailure(spec, stderr))
  } catch (cause) {
    // The signal has ended npm itself, but not its child processes.
    if (signal?.aborted) await stopProcesses(call, createProcessTable(), DEFAULT_GRACE)
    signal?.throwIfAborted()
    if (cause instanceof PluginError) throw cause
    throw new PluginError("install", startFailure(program, cause as NodeJS.ErrnoException), { cause })
  } finally {
    release()
  }
}

function startFailure(program: string, cause: NodeJS.ErrnoException): string {
  if (cause.code === "ENOENT")
    return `There is no ${program} on PATH to install it with. Install npm, which comes with Node.`
  return `${program} could not be started: ${cause.message}.`
}

/** `stderr` is npm's output. */
export function installFailure(spec: string, stderr: string): string {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1]
  switch (code) {
    case "E404":
      return `The registry has no ${spec}. Check the name; for a private one, the registry and the token in .npmrc.`
    case "ETARGET":
      return `There is no version of it that ${spec} allows. Check the version.`
    case "E401":
    case "E403":
      return `The registry does not let ${spec} be had (${code}). Check the token in .npmrc.`
    case "EBADENGINE":
      return `${spec} does not run on this version of Node. Choose another version of it.`
    case "EINTEGRITY":
      return `What came for ${spec} is not what the registry announced. Run "npm cache verify" and try again.`
    case "ENOSPC":
      return `There is no room on the disk for ${spec}.`
    case "ENOTFOUND":
    case "ECONNREFUSED":
    case "ECONNRESET":
    case "ETIMEDOUT":
    case "EAI_AGAIN":
    case "ENETUNREACH":
    case "ERR_SOCKET_TIMEOUT":
    case "ENOTCACHED":
      return `The registry cannot be reached (${code}), and ${spec} is not installed yet. Try again with a network.`
    default:
      return `npm could not install ${spec}: ${lastWords(stderr)}`
  }
}

function lastWords(stderr: string): string {
  const lines = stderr
    .split("\n")
    .flatMap((line) => /^npm (?:error|ERR!) (?!code |A complete log)(.+)/.exec(line)?.[1] ?? [])
  const words = lines.slice(0, 3).join(" ").trim() || stderr.trim().split("\n").at(-1) || "it said nothing"
  return /[.!?]$/.test(words) ? words : `${words}.`
}

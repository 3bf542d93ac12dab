import { spawn } from "node:child_process"
import { existsSync } from "node:fs"

export interface GitRun {
  /** Absolute path. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Variables of git itself. All others whose names begin with `GIT_`, except those of authors, are removed. */
  readonly variables?: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  readonly signal?: AbortSignal | undefined
  /** Default: no deadline. */
  readonly timeoutMs?: number
}

export interface GitEnd {
  /** Exit code. Undefined if git is missing, was ended, or printed too much. */
  readonly code: number | undefined
  readonly stdout: Buffer
  /** The beginning of what git printed as errors. */
  readonly stderr: string
  /** Set if git could not be started. */
  readonly isMissing: boolean
}

/** Largest output of git that is read. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024
const MAX_ERROR_BYTES = 16 * 1024

/** Disables programs that the repository's own configuration may name, which the user has not approved. */
const NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]

/**
 * Variables with which git fetches nothing. In a partial clone it would fetch missing objects, with a program that the
 * repository's own configuration may name.
 */
export const NO_FETCH = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" }

/** Variables that lead to no other repository. */
const KEPT = /^GIT_(?:AUTHOR_|COMMITTER_|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$|SSL_|SSH)/

/** Runs git without a shell, hooks, monitors and prompts. Never rejects. */
export async function runGit(args: readonly string[], run: GitRun): Promise<GitEnd> {
  const { cwd, environment, variables, input, signal, timeoutMs } = run
  return new Promise((resolve) => {
    const child = spawn("git", [...NO_PROGRAMS, ...args], {
      cwd,
      env: {
        ...Object.fromEntries(
          Object.entries(environment).filter(([name]) => !name.startsWith("GIT_") || KEPT.test(name)),
        ),
        ...{ GIT_TERMINAL_PROMPT: "0", SSH_ASKPASS_REQUIRE: "never", LC_ALL: "C" },
        ...variables,
      },
      stdio: ["pipe", "pipe", "pipe"],
      ...(signal ? { signal } : {}),
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    })
    const stdout: Buffer[] = []
    let size = 0
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > MAX_OUTPUT_BYTES) child.kill()
      else stdout.push(chunk)
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < MAX_ERROR_BYTES) stderr += text
    })
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
    child.on("error", (error: NodeJS.ErrnoException) => {
      // A missing directory has the same code as a missing program.
      const isMissing = error.code === "ENOENT" && existsSync(cwd)
      resolve({ code: undefined, stdout: Buffer.alloc(0), stderr: error.message, isMissing })
    })
    child.on("close", (code) => {
      const isWhole = size <= MAX_OUTPUT_BYTES
      resolve({
        code: isWhole ? (code ?? undefined) : undefined,
        stdout: Buffer.concat(stdout),
        stderr: isWhole ? stderr.trim() : "Its output is too long.",
        isMissing: false,
      })
    })
  })
}

const FILTERS = String.raw`^filter\..*\.(clean|smudge|process|required)$`

/**
 * Returns settings that replace each configured filter by none. Its program would run whenever git reads or writes a file.
 * `scopes`: the configuration files that are looked at, such as `--local`, and those that they include. Default: all of them
 */
export async function filterSettings(run: GitRun, scopes: readonly string[] = []): Promise<string[]> {
  const args = ["--includes", "-z", "--name-only", "--get-regexp", FILTERS]
  const ends = await Promise.all(
    (scopes.length > 0 ? scopes : [undefined]).map((scope) =>
      runGit(["config", ...(scope === undefined ? [] : [scope]), ...args], run),
    ),
  )
  return ends
    .flatMap(({ code, stdout }) => (code === 0 ? stdout.toString("utf8").split("\0") : []))
    .filter((name) => name !== "" && !name.includes("\u{FFFD}"))
    .map((name) => (name.endsWith(".required") ? `${name}=false` : `${name}=`))
}

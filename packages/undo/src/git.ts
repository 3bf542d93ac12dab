import { spawn } from "node:child_process"

/** Options that keep git from writing to the repository and from running programs that it names. */
const SAFE = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=keep"],
  ...["-c", "core.quotePath=false", "-c", "submodule.recurse=false"],
]

export interface GitRun {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** More settings, such as `core.autocrlf=false`. */
  readonly settings?: readonly string[]
  /** Index to use in place of the repository's own. */
  readonly index?: string
  readonly input?: string | Buffer
  readonly signal?: AbortSignal | undefined
}

/** Largest output of git that is read. */
const MAX_OUTPUT = 256 * 1024 * 1024

/** Runs git and returns its output; undefined if it fails, is missing, or prints too much. Never rejects. */
export async function git(args: readonly string[], run: GitRun): Promise<Buffer | undefined> {
  const { cwd, environment, index, input, settings = [], signal } = run
  return new Promise((resolve) => {
    const child = spawn("git", [...SAFE, ...settings.flatMap((setting) => ["-c", setting]), ...args], {
      cwd,
      env: {
        ...withoutGit(environment),
        GIT_OPTIONAL_LOCKS: "0",
        LC_ALL: "C",
        ...(index ? { GIT_INDEX_FILE: index } : {}),
      },
      stdio: ["pipe", "pipe", "ignore"],
      ...(signal ? { signal } : {}),
    })
    const chunks: Buffer[] = []
    let size = 0
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > MAX_OUTPUT) child.kill()
      else chunks.push(chunk)
    })
    child.on("error", () => resolve(undefined))
    child.on("close", (code) => resolve(code === 0 && size <= MAX_OUTPUT ? Buffer.concat(chunks) : undefined))
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
  })
}

/** Variables of git could lead it to another repository. */
function withoutGit(environment: GitRun["environment"]): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("GIT_")))
}

/** Splits output of git with `-z`. Names that are not UTF-8 are left out, because Node cannot open them by a string. */
export function records(output: Buffer): string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "" && !name.includes("\u{FFFD}"))
}

import { constants } from "node:fs"
import { mkdtemp, open, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Where a shell tells at its end in which directory it is. */
export interface DirectoryReport {
  /** What the shell needs in its environment; it hands nothing of it on. */
  readonly env: Readonly<Record<string, string>>
  /** The absolute path without links, as the shell sees it; undefined where it did not tell (killed, no bash). */
  read(): Promise<string | undefined>
  remove(): Promise<void>
}

export interface DirectoryReportOptions {
  /** The environment of the command. */
  readonly env: Readonly<Record<string, string>>
  /** Where its files are, as it is called outside and inside of a sandbox; absent: the system's temporary directory. */
  readonly temporary?: { readonly outside: string; readonly inside: string } | undefined
}

// Bash reads it before the command, whose text, exit code and line numbers stay as they are. A trap of the command's own
// takes the place of this one, and then nothing is told.
const START_SCRIPT = `export -n PAWL_CWD
unset BASH_ENV
trap '{ pwd -P >|"$PAWL_CWD"; } 2>/dev/null || :' EXIT
if [ -n "\${PAWL_BASH_ENV-}" ]; then
  export BASH_ENV=$PAWL_BASH_ENV
  unset PAWL_BASH_ENV
  . "$BASH_ENV"
fi
`

// The longest path that systems take.
const MAX_BYTES = 4096

/** Undefined where no temporary file can be made: the command runs all the same. */
export async function createDirectoryReport(options: DirectoryReportOptions): Promise<DirectoryReport | undefined> {
  const { env, temporary = { outside: tmpdir(), inside: tmpdir() } } = options
  try {
    const directory = await mkdtemp(join(temporary.outside, "pawl-"))
    const inside = join(temporary.inside, directory.slice(temporary.outside.length))
    await writeFile(join(directory, "start"), START_SCRIPT, { flag: "wx", mode: 0o600 })
    const own = env["BASH_ENV"]
    return {
      env: {
        BASH_ENV: join(inside, "start"),
        PAWL_CWD: join(inside, "cwd"),
        ...(own !== undefined && { PAWL_BASH_ENV: own }),
      },
      read: () => readReport(join(directory, "cwd")).catch(() => undefined),
      remove: () => rm(directory, { recursive: true, force: true }),
    }
  } catch {
    return undefined
  }
}

/** The command could have put anything there: links are not followed, and nothing is waited for. */
async function readReport(path: string): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const status = await handle.stat()
    if (!status.isFile() || status.size > MAX_BYTES) return undefined
    const text = await handle.readFile("utf8")
    return text.startsWith("/") ? text.replace(/\n$/, "") : undefined
  } finally {
    await handle.close()
  }
}

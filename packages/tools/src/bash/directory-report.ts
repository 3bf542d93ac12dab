import { constants, mkdirSync, rmdirSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type HeldDirectory, holdDirectory } from "@pawl/held-directory"

/** Lets a shell report its working directory when it ends. */
export interface DirectoryReport {
  /** Environment variables for the shell. The shell does not pass them to its children. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Returns the absolute path without links, as the shell sees it; undefined if the shell did not report it (killed,
   * not bash).
   */
  read(): Promise<string | undefined>
  remove(): void
}

export interface DirectoryReportOptions {
  readonly env: Readonly<Record<string, string>>
  /** Temporary directory by its paths outside and inside of a sandbox. Default: the system's. */
  readonly temporary?: { readonly outside: string; readonly inside: string } | undefined
}

// Bash reads this script before the command, so the command's text, exit code and line numbers stay the same. If the
// command sets its own EXIT trap, nothing is reported.
const START_SCRIPT = `export -n PAWL_CWD
unset BASH_ENV
trap '{ pwd -P >|"$PAWL_CWD"; } 2>/dev/null || :' EXIT
if [ -n "\${PAWL_BASH_ENV-}" ]; then
  export BASH_ENV=$PAWL_BASH_ENV
  unset PAWL_BASH_ENV
  . "$BASH_ENV"
fi
`

// The longest path that Linux and macOS accept.
const MAX_BYTES = 4096

const NAMES = ["start", "cwd"]

/**
 * Returns undefined if no temporary file can be created; the command runs nevertheless. Holds the directory open,
 * because other commands may write to a sandbox's temporary directory.
 */
export async function createDirectoryReport(options: DirectoryReportOptions): Promise<DirectoryReport | undefined> {
  const { env, temporary = { outside: tmpdir(), inside: tmpdir() } } = options
  try {
    const root = await realpath(temporary.outside)
    const name = `pawl-${crypto.randomUUID()}`
    const held = await makeReport(root, name)
    const inside = join(temporary.inside, name)
    const own = env["BASH_ENV"]
    return {
      env: {
        BASH_ENV: join(inside, "start"),
        PAWL_CWD: join(inside, "cwd"),
        ...(own !== undefined && { PAWL_BASH_ENV: own }),
      },
      read: () => readReport(held).catch(() => undefined),
      remove: () => removeReport(root, name, held),
    }
  } catch {
    return undefined
  }
}

async function makeReport(root: string, name: string): Promise<HeldDirectory> {
  using above = holdDirectory(root)
  mkdirSync(above.at(name), { mode: 0o700 })
  const held = holdDirectory(join(root, name))
  try {
    const handle = await held.open("start", constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      await handle.writeFile(START_SCRIPT)
    } finally {
      await handle.close()
    }
    return held
  } catch (error) {
    held.close()
    throw error
  }
}

/** Removes only files created here. A recursive removal could follow links that the command left. */
function removeReport(root: string, name: string, held: HeldDirectory): void {
  for (const each of NAMES) attempt(() => held.unlink(each))
  held.close()
  attempt(() => {
    using above = holdDirectory(root)
    rmdirSync(above.at(name))
  })
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // The directory is missing or not empty. The system or the sandbox clears temporary directories.
  }
}

/** Does not follow links and does not block, because the command may have replaced the file. */
async function readReport(held: HeldDirectory): Promise<string | undefined> {
  const handle = await held.open("cwd", constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const status = await handle.stat()
    if (!status.isFile() || status.size > MAX_BYTES) return undefined
    const text = await handle.readFile("utf8")
    return text.startsWith("/") ? text.replace(/\n$/, "") : undefined
  } finally {
    await handle.close()
  }
}

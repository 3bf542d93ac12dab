import { constants, mkdirSync, rmdirSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type HeldDirectory, holdDirectory } from "@pawl/held-directory"

/** Where a shell tells at its end in which directory it is. */
export interface DirectoryReport {
  /** What the shell needs in its environment; it hands nothing of it on. */
  readonly env: Readonly<Record<string, string>>
  /** The absolute path without links, as the shell sees it; undefined where it did not tell (killed, no bash). */
  read(): Promise<string | undefined>
  remove(): void
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

const NAMES = ["start", "cwd"]

/**
 * Undefined where no temporary file can be made: the command runs all the same. Other commands may write to the temporary
 * directory of a sandbox, so what is made there is held from then on.
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

/** Only what was made here: to remove all that a command may have put there would be to follow its links. */
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
    // It was not made, or has something else in it. Temporary directories are emptied by the system or with the sandbox.
  }
}

/** The command could have put anything there: links are not followed, and nothing is waited for. */
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

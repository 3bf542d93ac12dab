import { mkdir, readFile, realpath } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { UsageError } from "@pawl/config/usage-error"
import { replaceFile } from "@pawl/files/held-file"
import { statusOf } from "@pawl/files/status-of"
import { withLock } from "@pawl/process-lock"

/** Maximum time to wait for other changes of the same file, in milliseconds. */
const LOCK_TIMEOUT_MS = 10_000

export interface ChangeOptions {
  /** The mode of a new file. */
  readonly mode: number
  /** Set if an existing file gets the mode, too. Default: false, so it keeps its own */
  readonly isForced?: boolean
}

/**
 * Replaces the text of a configuration file by what `change` returns, while no other change of this function works on the
 * file, in any process. A missing file has the text "". The file is whole at any time. A symbolic link is kept: its target
 * is written. If `change` rejects or returns the same text, nothing is written. Rejects with a UsageError for a file that is
 * read-only or not a regular file.
 */
export async function changeConfigFile(
  file: string,
  change: (text: string) => Promise<string>,
  { mode, isForced = false }: ChangeOptions,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const target = await realpath(file).catch(async () => join(await realpath(dirname(file)), basename(file)))
  const work = async () => {
    const there = await statusOf(target)
    if (there && !there.isFile()) throw new UsageError(`${file} is not a regular file.`, "Put a file in its place.")
    const text = there ? decoded(await readFile(target), file) : ""
    const changed = await change(text)
    if (changed === text) return
    // Replacing a file needs no permission for the file itself.
    if (there && (there.mode & 0o222) === 0) {
      throw new UsageError(`${file} is read-only, so it was not changed.`, `To allow it: chmod u+w ${file}`)
    }
    await replaceFile(target, changed, there && !isForced ? there.mode & 0o777 : mode)
  }
  await withLock(`${target}.lock`, work, { timeoutMs: LOCK_TIMEOUT_MS })
}

/** Other bytes would be lost by writing the text. */
function decoded(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsageError(`${file} is not UTF-8 text.`, "Save it as UTF-8.")
  }
}

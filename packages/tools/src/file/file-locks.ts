import { createHash } from "node:crypto"
import { lstat, mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { LockBusyError, withLock } from "@pawl/process-lock"
import { displayName } from "../display-name.ts"
import { createUnfinishedFiles } from "./unfinished-files.ts"

/**
 * One writer at a time for each file: in order of arrival within these locks, in no order among all that share the
 * directory, other processes included. Removes what killed writers left unfinished beside the file before.
 */
export interface FileLocks {
  /** `path` is real. Rejects as `work` does, and when the lock is not to be had or the signal aborted while waiting. */
  run<Result>(path: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

export interface FileLocksOptions {
  /**
   * Where processes see each other's locks; absolute. Default: one for this user in the system's temporary directory. Where it
   * cannot be used, other processes are not waited for.
   */
  readonly directory?: string
}

export function createFileLocks({ directory = sharedDirectory() }: FileLocksOptions = {}): FileLocks {
  const last = new Map<string, Promise<unknown>>()
  const unfinished = createUnfinishedFiles()
  let usable: Promise<boolean> | undefined

  async function locked<Result>(path: string, work: () => Promise<Result>, signal: AbortSignal | undefined) {
    usable ??= isUsable(directory)
    if (!(await usable)) return work()
    const lock = join(directory, createHash("sha256").update(path).digest("hex"))
    return withLock(lock, work, { signal }).catch((error: unknown) => {
      // Formatters and checks of another process may take their time, but not for minutes.
      if (!(error instanceof LockBusyError) || error.path !== lock) throw error
      throw new Error(`${displayName(path)} is being changed by another process. Try again.`, { cause: error })
    })
  }

  return {
    async run(path, work, signal) {
      const begin = async () => {
        await unfinished.clean(dirname(path))
        return locked(path, work, signal)
      }
      const turn = (last.get(path) ?? Promise.resolve()).then(begin, begin)
      last.set(path, turn)
      try {
        return await turn
      } finally {
        if (last.get(path) === turn) last.delete(path)
      }
    },
  }
}

function sharedDirectory(): string {
  return join(tmpdir(), `pawl-locks-${process.getuid?.() ?? "all"}`)
}

/** Makes it. False where it is not this user's own, or cannot be made. */
async function isUsable(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const found = await lstat(directory)
    return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
  } catch {
    return false
  }
}

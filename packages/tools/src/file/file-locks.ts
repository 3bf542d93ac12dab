import { createHash } from "node:crypto"
import { lstat, mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { LockBusyError, withLock } from "@pawl/process-lock"
import { displayName } from "../display-name.ts"
import { createUnfinishedFiles } from "./unfinished-files.ts"

/**
 * Allows one writer at a time per file: in order of arrival within these locks, in any order between processes that
 * share the directory. Before each write, removes unfinished files that killed writers left beside the file.
 */
export interface FileLocks {
  /** `path` is real. Rejects if `work` rejects, if the lock stays busy, or if the signal is aborted while waiting. */
  run<Result>(path: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

export interface FileLocksOptions {
  /**
   * Absolute directory of the lock files. Default: one per user in the system's temporary directory. If it cannot be
   * used, other processes are not waited for.
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
      // Formatters and checks of another process may be slow, but do not take minutes.
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

/** Creates the directory. Returns false if that fails or if it belongs to another user. */
async function isUsable(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const stats = await lstat(directory)
    return stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid)
  } catch {
    return false
  }
}

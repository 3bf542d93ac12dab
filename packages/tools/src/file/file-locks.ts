import { tmpdir } from "node:os"
import { join } from "node:path"
import { createProcessLocks } from "./process-lock.ts"

/**
 * One writer at a time for each file: in order of arrival within these locks, in no order among all that share the
 * directory, other processes included.
 */
export interface FileLocks {
  /** `path` is real. Rejects as `work` does, and when the lock is not to be had or the signal aborted while waiting. */
  run<Result>(path: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

export interface FileLocksOptions {
  /** Where processes see each other's locks; absolute. Default: one for this user in the system's temporary directory. */
  readonly directory?: string
}

export function createFileLocks({ directory = sharedDirectory() }: FileLocksOptions = {}): FileLocks {
  const last = new Map<string, Promise<unknown>>()
  const processLocks = createProcessLocks({ directory })
  return {
    async run(path, work, signal) {
      const locked = async () => {
        const giveBack = await processLocks.take(path, signal)
        try {
          return await work()
        } finally {
          await giveBack()
        }
      }
      const turn = (last.get(path) ?? Promise.resolve()).then(locked, locked)
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

import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { FileHistory } from "@pawl/core/host"
import { applyUndo } from "./apply.ts"
import { diffOf } from "./diff.ts"
import { planUndo } from "./plan.ts"
import { createOpenCalls } from "./open-calls.ts"
import { createSpool, deadSpools, spoolName } from "./spool.ts"
import { createWatcher } from "./watch.ts"
import { createWindows } from "./windows.ts"
import { createWorktrees } from "./worktrees.ts"

export interface FileHistoryOptions {
  /** Private directory for copies of files that are not in the storage yet. Made when it is needed. */
  readonly directory: string
  /** Environment of git. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Returns epoch milliseconds, by the clock of the file system. Default: `Date.now` */
  readonly now?: () => number
}

/** Age at which the files of a dead process are removed: until then its sessions may be continued. */
const MAX_LEFT_MS = 7 * 24 * 3_600_000

/** Creates a history of the files of all worktrees that calls work in. */
export function createFileHistory({ directory, environment, now = Date.now }: FileHistoryOptions): FileHistory {
  const spools = join(directory, "spool")
  const spool = createSpool(join(spools, spoolName()))
  const closing = new AbortController()
  const deps = { spool, environment, now, closing: closing.signal }
  const calls = createOpenCalls(spools, spool)
  const worktrees = createWorktrees(deps)
  const watcher = createWatcher({ ...deps, calls, worktrees, windows: createWindows(join(directory, "calls")) })
  let sweeping: Promise<void> | undefined
  return {
    prepare({ worktree }) {
      sweeping ??= removeLeft(spools, now)
      worktrees.prepare(worktree)
    },
    watch: (call) => watcher.watch(call),
    recorded: (change) => watcher.recorded(change),
    recover: (call) => watcher.recover(call),
    plan: (changes, blobs) => planUndo(changes, blobs),
    apply: (files, blobs) => applyUndo(files, blobs),
    diff: (changes, options) => diffOf(changes, options),
    async close() {
      await watcher.settled()
      closing.abort()
      await Promise.all([worktrees.settled(), sweeping])
      await spool.close()
    },
  }
}

async function removeLeft(spools: string, now: () => number): Promise<void> {
  for (const path of await deadSpools(spools)) {
    const age =
      now() -
      (await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ))
    const open = await readdir(join(path, "open")).catch(() => [])
    if (open.length === 0 || age > MAX_LEFT_MS) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

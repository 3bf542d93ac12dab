import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import type { HeldDirectory } from "@pawl/held-directory"
import { currentProcess, isDead, type ProcessIdentity } from "@pawl/storage-kit"
import { inHeldDirectory } from "./held-parent.ts"

/** `.pawl-<machine>-<process id>-<start of the process>-<random>.tmp`; earlier versions wrote `.pawl-<random>.tmp`. */
const NAME =
  /^\.pawl-(?:(?<machine>[\da-f]{12})-(?<pid>\d{1,10})-(?<start>\d{0,20})-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/
/** Applies to writers on another machine, whose state cannot be checked. A write never takes this long. */
const FOREIGN_MAX_AGE_MS = 60 * 60 * 1000
const CLEAN_EVERY_MS = 10 * 60 * 1000
const MAX_DIRECTORIES = 1000

/**
 * Names a temporary file next to the file that it will replace. The name tells other processes if its writer is alive.
 */
export function unfinishedName(self: ProcessIdentity = currentProcess()): string {
  return `.pawl-${machineOf(self)}-${self.pid}-${self.start}-${crypto.randomUUID()}.tmp`
}

/** Removes files that killed processes left unfinished. */
export interface UnfinishedFiles {
  /** Scans the directory, a real path, unless it was scanned recently. Never rejects. */
  clean(directory: string): Promise<void>
}

export function createUnfinishedFiles(now = () => performance.now()): UnfinishedFiles {
  const cleaned = new Map<string, { readonly at: number; readonly done: Promise<void> }>()
  return {
    clean(directory) {
      const last = cleaned.get(directory)
      if (last && now() - last.at < CLEAN_EVERY_MS) return last.done
      if (cleaned.size >= MAX_DIRECTORIES) cleaned.clear()
      // A file that cannot be removed is harmless.
      const done = inHeldDirectory(directory, removeAbandoned).catch(() => undefined)
      cleaned.set(directory, { at: now(), done })
      return done
    },
  }
}

async function removeAbandoned(held: HeldDirectory): Promise<void> {
  const names = await readdir(held.at("."))
  const self = currentProcess()
  for (const name of names) {
    const writer = NAME.exec(name)?.groups
    if (writer && isAbandoned(held, name, writer, self)) held.unlink(name)
  }
}

function isAbandoned(
  held: HeldDirectory,
  name: string,
  { machine, pid, start = "" }: Partial<Record<string, string>>,
  self: ProcessIdentity,
): boolean {
  const stats = held.stat(name)
  if (!stats?.isFile()) return false
  if (machine === machineOf(self)) return isDead({ ...self, pid: Number(pid), start }, self)
  return Date.now() - stats.mtimeMs > FOREIGN_MAX_AGE_MS
}

/** Identifies one boot and one process id namespace. */
function machineOf({ boot, host }: ProcessIdentity): string {
  return createHash("sha256").update(`${boot}\0${host}`).digest("hex").slice(0, 12)
}

import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import type { HeldDirectory } from "@pawl/held-directory"
import { currentProcess, isDead, type ProcessIdentity } from "@pawl/storage-kit"
import { inHeldDirectory } from "./held-parent.ts"

/** `.pawl-<machine>-<process id>-<start of the process>-<random>.tmp`; earlier versions wrote `.pawl-<random>.tmp`. */
const NAME =
  /^\.pawl-(?:(?<machine>[\da-f]{12})-(?<pid>\d{1,10})-(?<start>\d{0,20})-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/
/** Of a writer that cannot be seen from here. No write takes that long. */
const FOREIGN_MAX_AGE_MS = 60 * 60 * 1000
const CLEAN_EVERY_MS = 10 * 60 * 1000
const MAX_DIRECTORIES = 1000

/** The name of a file that is written beside the one whose place it will take. Tells others whether its writer lives. */
export function unfinishedName(self: ProcessIdentity = currentProcess()): string {
  return `.pawl-${machineOf(self)}-${self.pid}-${self.start}-${crypto.randomUUID()}.tmp`
}

/** Removes what killed processes left unfinished. */
export interface UnfinishedFiles {
  /** Looks through the directory, a real path, unless that was done a short time ago. Never rejects. */
  clean(directory: string): Promise<void>
}

export function createUnfinishedFiles(now = () => performance.now()): UnfinishedFiles {
  const cleaned = new Map<string, { readonly at: number; readonly done: Promise<void> }>()
  return {
    clean(directory) {
      const last = cleaned.get(directory)
      if (last && now() - last.at < CLEAN_EVERY_MS) return last.done
      if (cleaned.size >= MAX_DIRECTORIES) cleaned.clear()
      // What cannot be looked through or removed stays: it is in the way of nothing.
      const done = inHeldDirectory(directory, removeLeft).catch(() => undefined)
      cleaned.set(directory, { at: now(), done })
      return done
    },
  }
}

async function removeLeft(held: HeldDirectory): Promise<void> {
  const names = await readdir(held.at("."))
  const self = currentProcess()
  for (const name of names) {
    const writer = NAME.exec(name)?.groups
    if (writer && isLeft(held, name, writer, self)) held.unlink(name)
  }
}

function isLeft(
  held: HeldDirectory,
  name: string,
  { machine, pid, start = "" }: Partial<Record<string, string>>,
  self: ProcessIdentity,
): boolean {
  const found = held.stat(name)
  if (!found?.isFile()) return false
  if (machine === machineOf(self)) return isDead({ ...self, pid: Number(pid), start }, self)
  return Date.now() - found.mtimeMs > FOREIGN_MAX_AGE_MS
}

/** One boot and one set of process ids. */
function machineOf({ boot, host }: ProcessIdentity): string {
  return createHash("sha256").update(`${boot}\0${host}`).digest("hex").slice(0, 12)
}

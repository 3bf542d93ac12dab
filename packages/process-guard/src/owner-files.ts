import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Keeps an empty file for each process that has started something that may outlive it, and for each group that it guards. The
 * process removes them. A file that is left tells a later process to look, so that others need not list all processes of the
 * machine.
 */
export interface OwnerFiles {
  readonly directory: string
  /** Never throws: without the file, what the process leaves is found by the session that it belongs to. */
  add(name: string): void
  remove(name: string): void
  /** Removes a file that has not changed for a month: of a host, or a boot, that cannot be seen from here. */
  removeOld(name: string): void
  /** Empty if there is no such directory. */
  list(): readonly string[]
}

const MONTH_MS = 30 * 24 * 3_600_000

/** `directory` is absolute, and made when it is needed. */
export function createOwnerFiles(directory: string): OwnerFiles {
  return {
    directory,
    add(name) {
      attempt(() => {
        mkdirSync(directory, { recursive: true, mode: 0o700 })
        writeFileSync(join(directory, name), "", { flag: "wx", mode: 0o600 })
      })
    },
    remove: (name) => attempt(() => rmSync(join(directory, name), { force: true })),
    removeOld(name) {
      attempt(() => {
        const path = join(directory, name)
        if (Date.now() - statSync(path).mtimeMs > MONTH_MS) rmSync(path, { force: true })
      })
    },
    list: () => attempt(() => readdirSync(directory)) ?? [],
  }
}

/** Of a disk that is full or read-only. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Keeps an empty file for each process that started something that may outlive it, and for each group that it guards.
 * The process removes its files. A left file tells a later process to search, so without files it need not list all
 * processes.
 */
export interface OwnerFiles {
  readonly directory: string
  /** Never throws. Without the file, left processes are found when their session is continued. */
  add(name: string): void
  remove(name: string): void
  /** Removes a file that has not changed for a month, because its host or boot cannot be checked from here. */
  removeOld(name: string): void
  /** Empty if the directory is missing. */
  list(): readonly string[]
}

const MONTH_MS = 30 * 24 * 3_600_000

/** `directory` is absolute. It is created when needed. */
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

/** Ignores errors, such as a full or read-only disk. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

import { randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/**
 * Files that only live as long as this process: copies of contents, copies of git's index, and what `recover` needs after
 * a crash. Readable by the user alone.
 */
export interface Spool {
  /** Keeps a content. Equal contents are kept once. */
  keep(hash: string, bytes: Uint8Array): Promise<void>
  read(hash: string): Promise<Buffer | undefined>
  /** Returns a path for a new file. */
  newPath(name: string): Promise<string>
  /** Removes everything. */
  close(): Promise<void>
}

/** The directory of a process, named so that others can tell whether it is alive. */
export function spoolName(): string {
  return `${process.pid}-${randomUUID().slice(0, 8)}`
}

export function createSpool(directory: string): Spool {
  const made = new Map<string, Promise<unknown>>()
  const contents = join(directory, "contents")
  const known = new Set<string>()
  function make(path: string): Promise<unknown> {
    const making = made.get(path) ?? mkdir(path, { recursive: true, mode: 0o700 })
    made.set(path, making)
    return making
  }
  return {
    async keep(hash, bytes) {
      if (known.has(hash)) return
      await make(contents)
      await writeFile(join(contents, nameOf(hash)), bytes, { mode: 0o600 })
      known.add(hash)
    },
    read: (hash) => readFile(join(contents, nameOf(hash))).catch(() => undefined),
    async newPath(name) {
      await make(directory)
      return join(directory, `${name}-${randomUUID().slice(0, 8)}`)
    },
    close: () => rm(directory, { recursive: true, force: true }).catch(() => undefined),
  }
}

function nameOf(hash: string): string {
  return hash.replace("sha256:", "")
}

/** Returns the spools of processes that are dead, in a directory of spools. */
export async function deadSpools(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter((name) => !isAlive(Number(/^(\d+)-/.exec(name)?.[1] ?? 0))).map((name) => join(directory, name))
}

export function isAlive(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return pid > 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

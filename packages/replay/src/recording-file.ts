import { randomUUID } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { syncParent } from "@pawl/storage-kit"
import { UsageError } from "@pawl/config/usage-error"

/** A file that grows by whole lines. */
export interface RecordingFile {
  /** In the file when it returns, so that the end of this process loses nothing. After a failure it does nothing. */
  write(line: string): void
  /** Why nothing more is written. */
  readonly failure: Error | undefined
  /** Durable when it returns. */
  close(): void
}

/**
 * Opens a new file that its owner alone may read. Throws UsageError where there is one already, unless it is to be
 * replaced, which happens with the first line. `onFailure` is told once when a line cannot be written: the lines before
 * it stay.
 */
export function openRecordingFile(
  path: string,
  { replaces, onFailure }: { readonly replaces: boolean; readonly onFailure: (error: Error) => void },
): RecordingFile {
  const begun = openNew(path, replaces)
  const { file } = begun
  let size = 0
  let failure: Error | undefined
  let isOpen = true

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      onFailure(failure)
    }
  }

  function append(bytes: Buffer): void {
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    } catch (error) {
      // Of a line that does not fit nothing is to stay.
      ftruncateSync(file, size)
      throw error
    }
    if (size === 0 && begun.path !== path) renameSync(begun.path, path)
    size += bytes.length
  }

  return {
    write(line) {
      if (!failure && isOpen) attempt(() => append(Buffer.from(`${line}\n`)))
    },
    get failure() {
      return failure
    },
    close() {
      if (!isOpen) return
      isOpen = false
      if (!failure) attempt(() => fsyncSync(file))
      closeSync(file)
      if (size === 0) rmSync(begun.path, { force: true })
      syncParent(path)
    },
  }
}

/** Returns true if a file will be replaced. Throws UsageError if the file cannot be created or must not be replaced. */
export function requireFree(path: string, replaces: boolean): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !there.isFile())
    throw new UsageError(`${path} is not a regular file, and cannot be replaced.`, "Use another name.")
  if (there && !replaces) {
    throw new UsageError(`${path} is there already.`, "Name another file, or replace it with --overwrite.")
  }
  if (!there && !existsSync(dirname(path))) {
    throw new UsageError(`The directory of ${path} does not exist.`, "Make it first.")
  }
  return there !== undefined
}

function openNew(path: string, replaces: boolean): { readonly file: number; readonly path: string } {
  const place = requireFree(path, replaces) ? `${path}.${randomUUID()}.tmp` : path
  try {
    return { file: openSync(place, "wx", 0o600), path: place }
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}

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

/** A file to which complete lines are appended. */
export interface RecordingFile {
  /**
   * Returns after the line is in the file, so that it survives the end of this process. Does nothing after a failure.
   */
  write(line: string): void
  /** The error of the first failed write. */
  readonly failure: Error | undefined
  /** Syncs the file. */
  close(): void
}

/**
 * Opens a new file with mode 0600. Throws UsageError if the file exists, unless `replaces` is true; then the first line
 * replaces it. If a line cannot be written, calls `onFailure` once and keeps the earlier lines.
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
      // Removes a partially written line.
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

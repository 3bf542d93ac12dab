import { NotFoundError, StorageError } from "@pawl/core/storage"

export function closedError(location: string): StorageError {
  return new StorageError(`The storage ${location} is closed. Open it again to go on.`)
}

export function missingSession(id: string): NotFoundError {
  return new NotFoundError(`Session ${id} does not exist.`)
}

export function busyError(root: string, name: string, waited: number): StorageError {
  const seconds = (waited / 1000).toFixed(waited < 1000 ? 1 : 0)
  return new StorageError(
    `Another process works on ${name} in ${root}, for ${seconds} s now. ` +
      "Wait for it or end it, then run the same command again; nothing was written.",
  )
}

const DENIED = ["EACCES", "EPERM", "EROFS"]
const FULL = ["ENOSPC", "EDQUOT"]

/**
 * Returns true if the system refused a write because the disk is full, read-only or faulty, or a right is missing.
 * Stored data may still be readable.
 */
export function isUnwritable(error: unknown): boolean {
  const { code = "" } = (error ?? {}) as NodeJS.ErrnoException
  return [...DENIED, ...FULL, "EIO"].includes(code)
}

/** Converts an error of the system to a StorageError with path and next step. Returns any other error unchanged. */
export function toStorageError(error: unknown, root: string): unknown {
  if (!(error instanceof Error)) return error
  const { code, path = root } = error as NodeJS.ErrnoException
  if (typeof code !== "string" || code.startsWith("ERR_") || error instanceof StorageError) return error
  return new StorageError(explain(code, path, error.message), { cause: error })
}

function explain(code: string, path: string, message: string): string {
  if (FULL.includes(code)) {
    return `The disk that holds ${path} is full. Free some space and try again: what was committed is there.`
  }
  if (code === "EROFS") {
    return `${path} cannot be written (${message}): its disk is mounted read-only. Mount it for writing, or use another data directory.`
  }
  if (DENIED.includes(code)) {
    return `${path} cannot be written or read (${message}). Give this user the right to read and write the whole data directory, or use another one.`
  }
  if (["ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"].includes(code)) {
    return `${path} is on a file system that lacks what a storage needs (${message}): hard links and renames within one file system. Use a local disk.`
  }
  if (["EIO", "ENXIO", "EUCLEAN", "ESTALE"].includes(code)) {
    return `${path} could not be read or written (${message}). Check the disk, then run the same command again; what was committed is there.`
  }
  if (code === "EMFILE" || code === "ENFILE") {
    return `Too many files are open to reach ${path}. Raise the limit (ulimit -n) or end other programs, then run the same command again.`
  }
  if (["ENOTDIR", "EEXIST", "ENOENT", "EISDIR"].includes(code)) {
    return `${path} is not what it should be (${message}). A file may stand where a directory should be, or the other way round: move it away, or use another data directory.`
  }
  return `${path} could not be used: ${message}. Check it, or use another data directory.`
}

/**
 * The calls that the storage makes of a file system, below one root: paths are relative to it and written with `/`.
 * Failures are the system's errors with their `code`. Only `sync` may take long; everything else is one short call.
 */
export interface FileSystem {
  /** Undefined where there is nothing. */
  status(path: string): FileStatus | undefined
  /** Undefined where there is nothing. */
  readFile(path: string): Buffer | undefined
  /** At most `length` bytes from `position` on; empty where there is nothing. */
  readRange(path: string, position: number, length: number): Buffer
  /** Names in no order; undefined where there is no directory. */
  readDirectory(path: string): string[] | undefined
  /** False when it was there before. Its parent must be there. */
  makeDirectory(path: string): boolean
  /** Makes the file, or replaces what it holds. */
  write(path: string, bytes: Uint8Array): void
  /** Replaces what the file holds from there on, which must not be more. */
  overwrite(path: string, position: number, bytes: Uint8Array): void
  /** Adds to the file's end; makes it when missing. */
  append(path: string, bytes: Uint8Array): void
  truncate(path: string, size: number): void
  /** Replaces the target in one step. */
  rename(from: string, to: string): void
  /** A second name for a file; false when that name is taken. */
  link(existing: string, path: string): boolean
  /** False where there was nothing. */
  remove(path: string): boolean
  /** Returns false if the directory is missing or not empty. */
  removeDirectory(path: string): boolean
  /** Sets the time of last change to now. */
  touch(path: string): void
  /** Resolves once the content of a file, or the list of names in a directory, is on the disk. */
  sync(path: string): Promise<void>
}

export interface FileStatus {
  readonly size: number
  /** Epoch milliseconds with fractions. */
  readonly changed: number
  /** Time of the last change of content, name or rights (ctime), in the same unit. Programs cannot set it. */
  readonly touched: number
  readonly inode: number
  /** How many names it has. */
  readonly links: number
  readonly isDirectory: boolean
}

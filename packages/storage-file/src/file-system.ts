/**
 * The file system calls of the storage. Paths are relative to one root and contain `/`. Failures are system errors with
 * a `code`. Only `sync` may take long.
 */
export interface FileSystem {
  /** Undefined if the path does not exist. */
  status(path: string): FileStatus | undefined
  /** Undefined if the path does not exist. */
  readFile(path: string): Buffer | undefined
  /** Reads at most `length` bytes from `position`; empty if the path does not exist. */
  readRange(path: string, position: number, length: number): Buffer
  /** Names in any order; undefined if there is no directory. */
  readDirectory(path: string): string[] | undefined
  /** Returns false if it exists already. Its parent must exist. */
  makeDirectory(path: string): boolean
  /** Creates the file or replaces its content. */
  write(path: string, bytes: Uint8Array): void
  /** Replaces the bytes from `position` to the end of the file. `bytes` must not be longer than they are. */
  overwrite(path: string, position: number, bytes: Uint8Array): void
  /** Appends to the file. Creates it if it is missing. */
  append(path: string, bytes: Uint8Array): void
  truncate(path: string, size: number): void
  /** Replaces the target atomically. */
  rename(from: string, to: string): void
  /** Creates a hard link; returns false if `path` exists. */
  link(existing: string, path: string): boolean
  /** Returns false if the path does not exist. */
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
  /** Time of the last change of content, name or mode (ctime), in the same unit. Programs cannot set it. */
  readonly touched: number
  readonly inode: number
  /** Number of hard links. */
  readonly links: number
  readonly isDirectory: boolean
}

import type { Stats } from "node:fs"
import type { FileHandle } from "node:fs/promises"

/**
 * A directory that is held open. Names in it belong to this very directory, also after its path has come to lead
 * elsewhere. Errors of its methods name files below `path`.
 */
export interface HeldDirectory extends Disposable {
  /** As it was given to `holdDirectory`. */
  readonly path: string
  /**
   * A path by which this process finds `name` in the directory; `.` is the directory itself. The path is valid while the
   * directory is held. On systems that cannot hold a directory by descriptor it is only valid at once, and the call throws
   * MovedDirectoryError when another directory has taken the place.
   */
  at(name: string): string
  /** Never follows a symbolic link that `name` is. */
  open(name: string, flags: number, mode?: number): Promise<FileHandle>
  /** Does not follow a link at `name`. Undefined if it does not exist. */
  stat(name: string): Stats | undefined
  /** Replaces an existing `to`. */
  rename(from: string, to: string): void
  unlink(name: string): void
  /** Throws MovedDirectoryError when `path` leads to another directory by now. */
  assertInPlace(): void
  close(): void
}

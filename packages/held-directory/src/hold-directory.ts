import type { Stats } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { canHoldByDescriptor, holdByDescriptor } from "./by-descriptor.ts"
import { holdByIdentity } from "./by-identity.ts"

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

export interface HoldOptions {
  /** Makes the directories on the way that do not exist. */
  readonly make?: boolean
  /** Default: whether this system can. */
  readonly byDescriptor?: boolean
}

/**
 * Opens the directory at `path`, which must be absolute and without symbolic links. Throws MovedDirectoryError if the path
 * contains a symbolic link, and the system's error if it does not exist or is not a directory. Close it after use.
 */
export function holdDirectory(path: string, options: HoldOptions = {}): HeldDirectory {
  const { make = false, byDescriptor = canHoldByDescriptor() } = options
  return byDescriptor ? holdByDescriptor(path, make) : holdByIdentity(path, make)
}

import { canHoldByDescriptor, holdByDescriptor } from "./by-descriptor.ts"
import { holdByIdentity } from "./by-identity.ts"
import type { HeldDirectory } from "./held-directory.ts"

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

import { basename, dirname } from "node:path"
import { type HeldDirectory, holdDirectory, MovedDirectoryError } from "@pawl/held-directory"
import { displayName } from "../display-name.ts"

export interface HeldParentOptions {
  /** Creates missing directories above the file. */
  readonly make?: boolean
}

/**
 * Calls `work` with the name of a real path and its directory, held open so that it cannot be swapped. Rejects if the
 * path to the directory leads through a symbolic link by now, or if `work` rejects.
 */
export async function inHeldParent<Result>(
  path: string,
  work: (held: HeldDirectory, name: string) => Result | Promise<Result>,
  options: HeldParentOptions = {},
): Promise<Result> {
  return inHeldDirectory(dirname(path), (held) => work(held, basename(path)), { ...options, shown: path })
}

/** Like `inHeldParent`, for the directory itself. `shown` is the path that errors show. */
export async function inHeldDirectory<Result>(
  path: string,
  work: (held: HeldDirectory) => Result | Promise<Result>,
  { make, shown = path }: HeldParentOptions & { readonly shown?: string } = {},
): Promise<Result> {
  try {
    using held = holdDirectory(path, { make: make ?? false })
    return await work(held)
  } catch (error) {
    if (!(error instanceof MovedDirectoryError)) throw error
    const to = error.to === undefined || error.to === error.path ? "another directory" : displayName(error.to)
    throw new Error(`${displayName(shown)} was left alone: its directory leads to ${to} now. Call the tool again.`, {
      cause: error,
    })
  }
}

/** Returns true if nothing was done because the directory was swapped. */
export function isMoved(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof MovedDirectoryError
}

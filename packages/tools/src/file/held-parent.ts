import { basename, dirname } from "node:path"
import { type HeldDirectory, holdDirectory, MovedDirectoryError } from "@pawl/held-directory"
import { displayName } from "../display-name.ts"

export interface HeldParentOptions {
  /** Makes the directories above the file that do not exist. */
  readonly make?: boolean
}

/**
 * Runs `work` on the name of a real path in the directory that holds it, which stays the same one throughout. Rejects when
 * the way to the directory has come to lead through a symbolic link, and as `work` does.
 */
export async function inHeldParent<Result>(
  path: string,
  work: (held: HeldDirectory, name: string) => Result | Promise<Result>,
  options: HeldParentOptions = {},
): Promise<Result> {
  return inHeldDirectory(dirname(path), (held) => work(held, basename(path)), { ...options, shown: path })
}

/** The same for a directory itself, by its real path. `shown`: what errors are about. */
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

/** Was nothing done, because the directory has been swapped? */
export function isMoved(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof MovedDirectoryError
}

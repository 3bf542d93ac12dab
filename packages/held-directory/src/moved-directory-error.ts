import { realpathSync } from "node:fs"

/** The path of a directory leads to another directory by now, or through a symbolic link. */
export class MovedDirectoryError extends Error {
  override readonly name = "MovedDirectoryError"
  readonly path: string
  /** The target of the path at the time of the error; undefined if it does not exist. */
  readonly to: string | undefined

  constructor(path: string) {
    const to = targetOf(path)
    super(`${path} leads to ${to === undefined || to === path ? "another directory" : to} by now.`)
    this.path = path
    this.to = to
  }
}

/** Undefined if the path leads nowhere. */
export function targetOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

import { realpath } from "node:fs/promises"
import { dirname } from "node:path"
import { displayName } from "../display-name.ts"

/** Rejects when a part of the directory that was real when `path` was judged has become a link since. */
export async function assertUnmoved(path: string): Promise<void> {
  const directory = dirname(path)
  const now = await realpath(directory)
  if (now !== directory) {
    throw new Error(
      `${displayName(path)} was left alone: its directory leads to ${displayName(now)} now. Call the tool again.`,
    )
  }
}

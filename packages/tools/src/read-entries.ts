import { type Dirent, readdirSync } from "node:fs"

/** Returns the entries of a directory; empty if it cannot be read. */
export function readEntries(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

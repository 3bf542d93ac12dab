import { createHash } from "node:crypto"

import type { Files } from "./disk.ts"

/** Hashes the state of a directory. */
export function digest(files: Files): string {
  const hash = createHash("sha1")
  for (const [path, content] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\0${content?.length ?? "directory"}\0`).update(content ?? "")
  }
  return hash.digest("hex")
}

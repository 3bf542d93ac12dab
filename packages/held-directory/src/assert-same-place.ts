import { type BigIntStats, statSync } from "node:fs"
import { MovedDirectoryError, targetOf } from "./moved-directory-error.ts"

/** Throws MovedDirectoryError unless `path` leads, without a link, to the directory that `held` describes. */
export function assertSamePlace(path: string, held: Pick<BigIntStats, "dev" | "ino">): void {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false })
  const isSame = now?.dev === held.dev && now.ino === held.ino && targetOf(path) === path
  if (!isSame) throw new MovedDirectoryError(path)
}

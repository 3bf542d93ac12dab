import { lstatSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { indexEntries, type IndexEntry } from "./gitlinks.ts"
import { repositoryOf } from "./git-places.ts"

/**
 * Returns the absolute paths of tracked files that `isChosen` selects. With `isChanged`, only files that differ from
 * what git last saw. Reads the index itself, because running git could run a program of the repository. Throws if the
 * index is invalid.
 */
export async function trackedFiles(
  worktree: string,
  { isChosen, isChanged }: { readonly isChosen: (path: string) => boolean; readonly isChanged: boolean },
): Promise<readonly string[]> {
  const index = readIndex(join(await repositoryOf(worktree), "index"))
  if (!index) return []
  const chosen = indexEntries(index).filter(({ path }) => isChosen(path))
  return chosen.flatMap((entry) =>
    isChanged && isSame(entry, join(worktree, entry.path)) ? [] : [join(worktree, entry.path)],
  )
}

function readIndex(path: string): Buffer | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : undefined
}

function isSame({ mtimeMs, size }: IndexEntry, path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && Math.floor(stats.mtimeMs) === mtimeMs && stats.size % 2 ** 32 === size
}

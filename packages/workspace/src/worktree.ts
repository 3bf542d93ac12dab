import { stat } from "node:fs/promises"
import { dirname, join } from "node:path"

/** Returns the root of the git work tree of `directory`; undefined outside of git. Starts no process. */
export async function findWorktree(directory: string): Promise<string | undefined> {
  for (let at = directory; ; at = dirname(at)) {
    // In a linked work tree or a submodule, `.git` is a file.
    if (await exists(join(at, ".git"))) return at
    if (dirname(at) === at) return undefined
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

import { stat } from "node:fs/promises"
import { dirname, join } from "node:path"

/** The root of the git work tree that `directory` is in, or undefined outside of one. Starts no process. */
export async function findWorktree(directory: string): Promise<string | undefined> {
  for (let at = directory; ; at = dirname(at)) {
    // A linked work tree and a submodule have a file there.
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

import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { resolve } from "node:path"
import { NotFoundError } from "@pawl/core"
import { isInProject, type ProjectBounds } from "@pawl/core/tool"
import { isInside } from "../request-directory.ts"
import { RequestError } from "../request-error.ts"

/** Returns the real path. Rejects if it is outside of the project or does not exist. */
export async function insideProject(
  { directory, worktree }: { readonly directory: string; readonly worktree: string },
  path: string,
): Promise<string> {
  const requested = resolve(directory, path)
  const real = await realpath(requested).catch(() => undefined)
  const bounds = await boundsOf({ directory, worktree })
  if (!isInProject(real ?? requested, bounds) && !isInside(directory, requested)) throw outside(path)
  if (real === undefined) throw new NotFoundError(`There is no file ${path}.`)
  if (real !== bounds.directory && !isInProject(real, bounds)) throw outside(path)
  return real
}

/** Returns the real paths of the directory, the worktree and this process's home directory. */
export async function boundsOf({
  directory,
  worktree,
}: {
  readonly directory: string
  readonly worktree: string
}): Promise<ProjectBounds & { readonly directory: string }> {
  const [real, ...others] = await Promise.all([realpath(directory), realpath(worktree)])
  return { directory: real, roots: [real, ...others], home: await realpath(homedir()).catch(homedir) }
}

/**
 * Returns the real path of an attached file, or the path itself if it does not exist. A path outside of the project is
 * allowed, because its name shows that. Rejects for a link in the project that leads out of it, because its name does
 * not show that.
 */
export async function attachedPath(
  project: { readonly directory: string; readonly worktree: string },
  path: string,
): Promise<string> {
  const real = await realpath(path).catch(() => path)
  const { roots, home } = await boundsOf(project)
  const named = { roots: [project.directory, project.worktree, ...roots], home }
  if (!isInProject(path, named) || isInProject(real, { roots, home })) return real
  throw new RequestError("Body", `${path} is a link to ${real}, outside of the project. Attach that file itself.`)
}

function outside(path: string): RequestError {
  return new RequestError("Query", `${path} lies outside of the project.`)
}

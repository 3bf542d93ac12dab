import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { resolve } from "node:path"
import { NotFoundError } from "@pawl/core"
import { isInProject, type ProjectBounds } from "@pawl/core/tool"
import { isInside } from "../request-directory.ts"
import { RequestError } from "../request-error.ts"

/** The absolute path, links resolved. Rejects where it leads out of the project, or where nothing is. */
export async function insideProject(
  { directory, worktree }: { readonly directory: string; readonly worktree: string },
  path: string,
): Promise<string> {
  const asked = resolve(directory, path)
  const real = await realpath(asked).catch(() => undefined)
  const bounds = await boundsOf({ directory, worktree })
  if (!isInProject(real ?? asked, bounds) && !isInside(directory, asked)) throw outside(path)
  if (real === undefined) throw new NotFoundError(`There is no file ${path}.`)
  if (real !== bounds.directory && !isInProject(real, bounds)) throw outside(path)
  return real
}

/** Where a project ends: its directory, its worktree and the home directory of this process, links resolved. */
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
 * Where an attached file is, links resolved; the path itself where nothing is. A path outside of the project says so by its
 * name. Rejects for a link in the project that leads out of it, as that says nothing of the kind.
 */
export async function attachedPlace(
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

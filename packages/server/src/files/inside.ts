import { realpath } from "node:fs/promises"
import { resolve } from "node:path"
import { NotFoundError } from "@pawl/core"
import { isInside } from "../request-directory.ts"
import { RequestError } from "../request-error.ts"

/** The absolute path, links resolved. Rejects where it leads out of the project, or where nothing is. */
export async function insideProject(
  { directory, worktree }: { readonly directory: string; readonly worktree: string },
  path: string,
): Promise<string> {
  const asked = resolve(directory, path)
  const real = await realpath(asked).catch(() => undefined)
  const roots = await Promise.all([directory, worktree].map((root) => realpath(root)))
  if (!roots.some((root) => isInside(root, real ?? asked)) && !isInside(directory, asked)) throw outside(path)
  if (real === undefined) throw new NotFoundError(`There is no file ${path}.`)
  if (!roots.some((root) => isInside(root, real))) throw outside(path)
  return real
}

function outside(path: string): RequestError {
  return new RequestError("Query", `${path} lies outside of the project.`)
}

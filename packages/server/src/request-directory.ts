import { isAbsolute, relative, resolve, sep } from "node:path"
import type { MiddlewareHandler } from "hono"
import { RequestError } from "./request-error.ts"

/** Refuses requests for another project than the app's: the query names it, or a header with its path encoded. */
export function requireDirectory({ directory, worktree }: { directory: string; worktree: string }): MiddlewareHandler {
  return async (context, next) => {
    const asked = context.req.query("directory") ?? decoded(context.req.header("x-opencode-directory"))
    if (asked && !isInside(directory, asked) && !isInside(worktree, asked)) {
      throw new RequestError("Query", `This server works in ${directory}, not in ${asked}.`)
    }
    await next()
  }
}

export function isInside(directory: string, path: string): boolean {
  const way = relative(resolve(directory), resolve(path))
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

function decoded(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  try {
    return decodeURIComponent(header)
  } catch {
    throw new RequestError("Headers", 'The header "x-opencode-directory" is not encoded as a URI component.')
  }
}

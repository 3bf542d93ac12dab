import { isAbsolute, relative, resolve, sep } from "node:path"
import type { HonoRequest, MiddlewareHandler } from "hono"
import { RequestError } from "./request-error.ts"

/** Refuses requests for another project. The query or a header names the project's path, the header in encoded form. */
export function requireDirectory({ directory, worktree }: { directory: string; worktree: string }): MiddlewareHandler {
  return async (context, next) => {
    const requested = requestedDirectory(context.req)
    if (requested && !isInside(directory, requested) && !isInside(worktree, requested)) {
      throw new RequestError("Query", `This server works in ${directory}, not in ${requested}.`)
    }
    await next()
  }
}

/** Returns the directory that a request names. Undefined if it names none. */
export function requestedDirectory(request: Pick<HonoRequest, "query" | "header">): string | undefined {
  const query = request.query("directory") ?? request.query("location[directory]")
  return (query ?? decoded(request.header("x-opencode-directory"))) || undefined
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

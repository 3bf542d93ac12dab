import { relative } from "node:path"
import type { Host } from "../host.ts"

/** A path as people know it: below the directory, below the home, or as it is. What is no path stays what it is. */
export function shortPath(path: string, directory: string, { home }: Pick<Host, "home">): string {
  if (!path.startsWith("/")) return path
  const below = relative(directory, path)
  if (!below.startsWith("..")) return below
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

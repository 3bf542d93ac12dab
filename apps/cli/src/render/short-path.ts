import { relative } from "node:path"
import type { Host } from "../host.ts"

/** Shortens a path relative to the directory or the home. Other texts are returned unchanged. */
export function shortPath(path: string, directory: string, { home }: Pick<Host, "home">): string {
  if (!path.startsWith("/")) return path
  const below = relative(directory, path)
  if (!below.startsWith("..")) return below
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

import { relative } from "node:path"

/** Shortens a path relative to the directory or the home. Other texts are returned unchanged. */
export function shortPath(path: string, directory: string, { home }: { readonly home: string | undefined }): string {
  if (!path.startsWith("/")) return path
  const below = relative(directory, path)
  if (!below.startsWith("..")) return below
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

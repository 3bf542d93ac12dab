import { sep } from "node:path"

/**
 * Does a path relative to `root` fit a glob pattern? A pattern without `/` is compared with the name alone; an absolute
 * one must lie below `root` to fit anything.
 *
 * Matched here because ripgrep lets its own `--glob` win over ignore files.
 */
export async function pathMatcher(pattern: string, root: string): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import("picomatch")
  const local = relativePattern(pattern.normalize("NFC"), root.normalize("NFC"))
  const matches = picomatch(local, { dot: true, basename: !local.includes("/") })
  // The same name may be written with composed or decomposed accents.
  return (path) => matches(path.normalize("NFC").replaceAll(sep, "/"))
}

function relativePattern(pattern: string, root: string): string {
  const prefix = root.endsWith("/") ? root : `${root}/`
  if (pattern.startsWith(prefix)) return pattern.slice(prefix.length)
  return pattern.startsWith("./") ? pattern.slice(2) : pattern
}

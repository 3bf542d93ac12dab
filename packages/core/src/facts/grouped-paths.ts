import { basename, dirname, isAbsolute, relative, sep } from "node:path"

/** A path as the model reads it: relative to the directory where it lies within, else absolute. On one line. */
export function shownPath(path: string, directory: string | undefined): string {
  return quoted(withinOrWhole(path, directory))
}

/**
 * The same for many paths, a line for each directory: `src/a/: x.ts, y.ts`. `note` is put behind the name of a path.
 * Directories in the order of their first path.
 */
export function groupedPaths<P extends { readonly path: string }>(
  files: readonly P[],
  directory: string | undefined,
  note: (file: P) => string,
): string[] {
  const groups = new Map<string, string[]>()
  for (const file of files) {
    const shown = withinOrWhole(file.path, directory)
    const parent = dirname(shown)
    const names = groups.get(parent) ?? []
    names.push(quoted(basename(shown)) + note(file))
    groups.set(parent, names)
  }
  return [...groups].map(([parent, names]) => {
    const place = parent.endsWith(sep) ? parent : `${parent}${sep}`
    return `${quoted(place)}: ${names.join(", ")}`
  })
}

/** Relative to the directory if it lies within, else as it is. */
export function withinOrWhole(path: string, directory: string | undefined): string {
  if (directory === undefined) return path
  const way = relative(directory, path)
  return way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? path : way
}

/** As it is, or in quotes with escapes where it would be read wrongly. */
export function quoted(name: string): string {
  return /[\p{Cc}\u2028\u2029",:]|^\s|\s$|\s\(|->/u.test(name)
    ? JSON.stringify(name).replaceAll(/[\p{Cc}\u2028\u2029]/gu, escaped)
    : name
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
}

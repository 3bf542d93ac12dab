import { basename, dirname, isAbsolute, relative, sep } from "node:path"

/** Formats a path for the model on one line: relative to the directory if it lies within, else absolute. */
export function shownPath(path: string, directory: string | undefined): string {
  return quoted(withinOrWhole(path, directory))
}

/**
 * Formats many paths, one line for each directory: `src/a/: x.ts, y.ts`. Appends `note` to the name of each path.
 * Directories are in the order of their first path.
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
    const folder = parent.endsWith(sep) ? parent : `${parent}${sep}`
    return `${quoted(folder)}: ${names.join(", ")}`
  })
}

/** Returns the path relative to the directory if it lies within, else unchanged. */
export function withinOrWhole(path: string, directory: string | undefined): string {
  if (directory === undefined) return path
  const way = relative(directory, path)
  return way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? path : way
}

/** Quotes and escapes a name if it would be misread, else returns it unchanged. */
export function quoted(name: string): string {
  return /[\p{Cc}\u2028\u2029",:]|^\s|\s$|\s\(|->/u.test(name)
    ? JSON.stringify(name).replaceAll(/[\p{Cc}\u2028\u2029]/gu, escaped)
    : name
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
}

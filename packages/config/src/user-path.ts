import path from "node:path"

/**
 * Makes a user's path absolute: relative to `base`, or below the home directory after `~/`. Undefined if it needs a
 * missing home.
 */
export function resolveUserPath(
  written: string,
  { base, home }: { base: string; home: string | undefined },
): string | undefined {
  if (!/^~(?=$|[/\\])/.test(written)) return path.resolve(base, written)
  return home ? path.join(home, written.slice(1)) : undefined
}

export function withoutHome(written: string): string {
  return `${written} needs a home directory. Set HOME or write the whole path.`
}

/** Shortens a path for a message: relative inside the directory, `~/…` below the home directory, else absolute. */
export function displayPath(
  file: string,
  { directory, home }: { directory: string; home: string | undefined },
): string {
  const inside = (parent: string) => {
    const below = path.relative(parent, file)
    return below === "" || below.split(path.sep)[0] === ".." || path.isAbsolute(below) ? undefined : below
  }
  const inDirectory = inside(directory)
  if (inDirectory !== undefined) return inDirectory
  const inHome = home ? inside(home) : undefined
  return inHome === undefined ? file : path.join("~", inHome)
}

import { lstat } from "node:fs/promises"
import { basename, join } from "node:path"
import { inHeldParent } from "../file/held-parent.ts"
import { guardedPlaces } from "./guarded-places.ts"

/** What a command in a sandbox left where it would decide over later commands, and where it stands now; both absolute. */
export interface SetAside {
  readonly path: string
  readonly to: string
}

/**
 * What is not there cannot be kept from being made inside of a sandbox. Looks which of a project's guarded places are
 * missing, and of `further` ones; the returned function gives those that are there by then another name, under which nothing looks for them. It
 * does so once.
 */
export async function watchMissing(
  directories: readonly string[],
  further: readonly string[] = [],
): Promise<() => Promise<readonly SetAside[]>> {
  const guarded = directories.flatMap((directory) => [join(directory, ".git"), ...guardedPlaces(directory)])
  const places = [...guarded, ...further]
  const missing = await filtered([...new Set(places)], async (path) => !(await kindOf(path)))
  let settled: Promise<readonly SetAside[]> | undefined
  return () => (settled ??= setAside(missing))
}

async function setAside(missing: readonly string[]): Promise<readonly SetAside[]> {
  const made = await filtered(missing, async (path) => {
    const kind = await kindOf(path)
    // A new repository is one without its configuration, too.
    return kind !== undefined && !(path.endsWith("/.git") && kind === "directory")
  })
  const found: SetAside[] = []
  for (const path of made) {
    const to = `${path}.from-sandbox-${crypto.randomUUID().slice(0, 8)}`
    // It may have gone with a directory above it, which another command may have replaced by a link.
    await inHeldParent(path, (held, name) => held.rename(name, basename(to))).then(
      () => found.push({ path, to }),
      () => undefined,
    )
  }
  return found
}

async function filtered(
  paths: readonly string[],
  keep: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const kept = await Promise.all(paths.map(keep))
  return paths.filter((_, index) => kept[index])
}

async function kindOf(path: string): Promise<"directory" | "other" | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found && (found.isDirectory() ? "directory" : "other")
}

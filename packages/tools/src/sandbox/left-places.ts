import { lstat } from "node:fs/promises"
import { basename, join } from "node:path"
import { inHeldParent } from "../file/held-parent.ts"
import { guardedPaths } from "./guarded-places.ts"

/**
 * A file that a sandboxed command left where later commands would obey it, and its new name. Both paths are absolute.
 */
export interface SetAside {
  readonly path: string
  readonly to: string
}

/**
 * A sandbox cannot prevent the creation of missing files. So this records which guarded paths of a project, and which
 * `further` paths, are missing. The returned function renames those that were created since. It does so once.
 */
export async function watchMissing(
  directories: readonly string[],
  further: readonly string[] = [],
): Promise<() => Promise<readonly SetAside[]>> {
  const guarded = directories.flatMap((directory) => [join(directory, ".git"), ...guardedPaths(directory)])
  const paths = [...guarded, ...further]
  const missing = await filtered([...new Set(paths)], async (path) => !(await kindOf(path)))
  let settled: Promise<readonly SetAside[]> | undefined
  return () => (settled ??= setAside(missing))
}

async function setAside(missing: readonly string[]): Promise<readonly SetAside[]> {
  const created = await filtered(missing, async (path) => {
    const kind = await kindOf(path)
    // A directory `.git` is a new repository, which is harmless without the configuration that is guarded separately.
    return kind !== undefined && !(path.endsWith("/.git") && kind === "directory")
  })
  const renamed: SetAside[] = []
  for (const path of created) {
    const to = `${path}.from-sandbox-${crypto.randomUUID().slice(0, 8)}`
    // The file may be gone, or another command may have replaced a parent directory by a link.
    await inHeldParent(path, (held, name) => held.rename(name, basename(to))).then(
      () => renamed.push({ path, to }),
      () => undefined,
    )
  }
  return renamed
}

async function filtered(
  paths: readonly string[],
  keep: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const kept = await Promise.all(paths.map(keep))
  return paths.filter((_, index) => kept[index])
}

async function kindOf(path: string): Promise<"directory" | "other" | undefined> {
  const renamed = await lstat(path).catch(() => undefined)
  return renamed && (renamed.isDirectory() ? "directory" : "other")
}

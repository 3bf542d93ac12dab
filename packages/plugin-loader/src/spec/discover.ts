import type { Dirent } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { PluginSpec } from "./plugin-spec.ts"

/** Directories with plugin files in a configuration directory. */
export const PLUGIN_DIRECTORIES = ["plugin", "plugins"] as const

/**
 * Returns the files `{plugin,plugins}/*.{ts,js}` of the directories, in the order of the directories and then by path.
 */
export async function discoverPlugins(directories: readonly string[]): Promise<PluginSpec[]> {
  const found: PluginSpec[] = []
  for (const directory of directories) {
    const paths: string[] = []
    for (const name of PLUGIN_DIRECTORIES) {
      for (const entry of await entriesOf(join(directory, name))) {
        const path = join(directory, name, entry.name)
        if (/\.[tj]s$/.test(entry.name) && !entry.name.endsWith(".d.ts") && (await isFile(entry, path)))
          paths.push(path)
      }
    }
    found.push(...paths.toSorted().map((spec) => ({ spec, source: { directory } })))
  }
  return found
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return []
    throw error
  }
}

async function isFile(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile()
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

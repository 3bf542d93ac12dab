import { readdir, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { NotFoundError } from "@pawl/core/storage"

export type Environment = Readonly<Record<string, string | undefined>>

export interface OpenCodeLocation {
  readonly kind: "database" | "tree"
  readonly path: string
}

/** OpenCode adds the release channel to the name of the database, except for the default one. */
const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/

/**
 * Finds OpenCode's data at a path: a database file, a `storage` directory, or a directory with both. Without a path,
 * searches `OPENCODE_DB`, `$XDG_DATA_HOME/opencode` and `~/.local/share/opencode`. Rejects with NotFoundError if it
 * finds nothing.
 */
export async function openCodeLocations(
  path: string | undefined,
  environment: Environment,
): Promise<OpenCodeLocation[]> {
  const usual = path === undefined
  const candidates = usual ? usualPaths(environment) : [resolve(path)]
  const found = (await Promise.all(candidates.map((candidate) => placesAt(candidate)))).flat()
  if (found.length > 0) return found.filter((place, at) => found.findIndex((other) => other.path === place.path) === at)
  throw new NotFoundError(
    `There is no record of OpenCode at ${candidates.join(" or ")}. Give the path of its opencode.db or of its storage directory.`,
  )
}

function usualPaths({ XDG_DATA_HOME, OPENCODE_DB, HOME = homedir() }: Environment): string[] {
  const directory = join(XDG_DATA_HOME || join(HOME, ".local", "share"), "opencode")
  const named = OPENCODE_DB && OPENCODE_DB !== ":memory:" ? [resolve(directory, OPENCODE_DB)] : []
  return [...named, directory]
}

async function placesAt(path: string): Promise<OpenCodeLocation[]> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile()) return [{ kind: "database", path }]
  if (!found?.isDirectory()) return []
  const names = await readdir(path)
  const databases = names.filter((name) => DATABASE.test(name)).toSorted()
  const tree = names.includes("storage") ? join(path, "storage") : path
  const isTree = (await readdir(tree).catch((): string[] => [])).includes("session")
  return [
    ...databases.map((name) => ({ kind: "database" as const, path: join(path, name) })),
    ...(isTree ? [{ kind: "tree" as const, path: tree }] : []),
  ]
}

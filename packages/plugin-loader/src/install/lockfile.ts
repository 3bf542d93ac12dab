import { readFile } from "node:fs/promises"
import { join } from "node:path"

export interface LockEntry {
  readonly version?: string
  /** Integrity of the archive, which npm checked during the installation. */
  readonly integrity?: string
  readonly peer?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Entries by location, such as `node_modules/acme`. The entry "" is the folder itself. */
export type Lock = Readonly<Record<string, LockEntry>>

export async function readLock(directory: string): Promise<Lock> {
  const text = await readFile(join(directory, "package-lock.json"), "utf8")
  return (JSON.parse(text) as { packages?: Lock }).packages ?? {}
}

/** Returns names of packages that are installed only as peer dependencies and that the host does not provide. */
export function neededPeers(lock: Lock, provided: readonly string[]): string[] {
  const names = Object.values(lock)
    .filter(({ peer }) => !peer)
    .flatMap(({ peerDependencies = {}, peerDependenciesMeta = {} }) =>
      Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
    )
  return [...new Set(names)].filter((name) => !provided.includes(name) && lock[`node_modules/${name}`]?.peer)
}

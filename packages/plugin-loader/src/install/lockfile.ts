import { readFile } from "node:fs/promises"
import { join } from "node:path"

export interface LockEntry {
  readonly version?: string
  /** Of the archive that npm checked while it installed. */
  readonly integrity?: string
  readonly peer?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Entries by where they are installed, such as `node_modules/acme`; the first one, by "", is the folder's own. */
export type Lock = Readonly<Record<string, LockEntry>>

export async function readLock(directory: string): Promise<Lock> {
  const text = await readFile(join(directory, "package-lock.json"), "utf8")
  return (JSON.parse(text) as { packages?: Lock }).packages ?? {}
}

/** Names of packages that something needs beside it, which nothing but such needs installs, and which nobody provides. */
export function neededPeers(lock: Lock, provided: readonly string[]): string[] {
  const names = Object.values(lock)
    .filter(({ peer }) => !peer)
    .flatMap(({ peerDependencies = {}, peerDependenciesMeta = {} }) =>
      Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
    )
  return [...new Set(names)].filter((name) => !provided.includes(name) && lock[`node_modules/${name}`]?.peer)
}

import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { displayName } from "../display-name.ts"
import type { PageRange } from "./text-page.ts"

export interface DirectoryPage {
  /** Sorted by name. Directories and links to directories end with `/`. */
  readonly entries: readonly string[]
  readonly total: number
  /** Left out of `entries` and `total`. */
  readonly denied: ReadonlySet<string>
  /** Set if entries outside of the project are left out of `entries` and `total`. */
  readonly hasHidden: boolean
}

/** Both take the name of an entry. */
export interface LeftOutEntries {
  readonly isDenied: (name: string) => boolean
  readonly isHidden: (name: string) => boolean
}

export async function readDirectory(
  path: string,
  { offset, limit }: PageRange,
  { isDenied, isHidden }: LeftOutEntries,
): Promise<DirectoryPage> {
  const all = await readdir(path, { withFileTypes: true })
  const inside = all.filter(({ name }) => !isHidden(name))
  const denied = new Set(inside.map(({ name }) => name).filter(isDenied))
  const found = inside.filter(({ name }) => !denied.has(name))
  found.sort((a, b) => (a.name < b.name ? -1 : 1))
  const page = found.slice(offset - 1, offset - 1 + limit)
  const entries = await Promise.all(
    page.map(async (entry) => {
      const isDirectory = entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToDirectory(path, entry.name)))
      return displayName(entry.name) + (isDirectory ? "/" : "")
    }),
  )
  return { entries, total: found.length, denied, hasHidden: inside.length < all.length }
}

function leadsToDirectory(path: string, name: string): Promise<boolean> {
  return stat(join(path, name)).then(
    (target) => target.isDirectory(),
    () => false,
  )
}

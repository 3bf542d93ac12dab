import { createHash } from "node:crypto"
import { lstat, readdir, readFile, readlink } from "node:fs/promises"
import { join, relative } from "node:path"
import { readLock } from "./lockfile.ts"

interface Leaf {
  /** Relative, with `/`. */
  readonly path: string
  readonly file: string
  readonly isLink: boolean
}

/** Hash of the names and contents of everything in a directory: two with the same hold the same. */
export async function contentHash(directory: string): Promise<string> {
  const hash = createHash("sha256")
  for (const { path, file, isLink } of await leaves(directory)) {
    const content = isLink
      ? await readlink(file)
      : createHash("sha256")
          .update(await readFile(file))
          .digest("hex")
    hash.update(JSON.stringify([path, isLink, content]))
  }
  return `sha256-${hash.digest("hex")}`
}

/**
 * Hash of names, sizes and times, which is far cheaper: of the files of the plugin's own package, and of one file of each
 * package that npm's lockfile names. It sees what was lost, exchanged, or edited in the plugin, not what was edited in
 * a package that the plugin depends on; nobody is kept from setting times back.
 */
export async function statHash(root: string, name: string): Promise<string> {
  const own = (await leaves(join(root, "node_modules", name), "node_modules")).map(({ file }) => file)
  const manifests = Object.keys(await readLock(root)).map((place) => join(root, place, "package.json"))
  const hash = createHash("sha256")
  for (const file of [join(root, "package-lock.json"), ...manifests, ...own]) {
    // What is not for this machine is in the lockfile alone.
    const { size, mtimeMs } = (await lstat(file).catch(() => undefined)) ?? {}
    hash.update(JSON.stringify([relative(root, file), size, mtimeMs]))
  }
  return `sha256-${hash.digest("hex")}`
}

/** Everything below that is no directory, sorted; what lies in a directory of the name `without`, not. */
async function leaves(directory: string, without?: string): Promise<Leaf[]> {
  const found: Leaf[] = []
  async function walk(below: string): Promise<void> {
    for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`
      if (!entry.isDirectory()) found.push({ path, file: join(directory, path), isLink: entry.isSymbolicLink() })
      else if (entry.name !== without) await walk(path)
    }
  }
  await walk("")
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

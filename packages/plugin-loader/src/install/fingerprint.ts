import { createHash } from "node:crypto"
import { lstatSync, readdirSync } from "node:fs"
import { readFile, readlink } from "node:fs/promises"
import { join, sep } from "node:path"
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
  for (const { path, file, isLink } of leaves(directory)) {
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
  const lock = await readLock(root)
  const own = leaves(join(root, "node_modules", name), "node_modules").map(({ file }) => file)
  const manifests = Object.keys(lock).map((place) => join(root, place, "package.json"))
  const described = [join(root, "package-lock.json"), ...manifests, ...own].map((file) => {
    // What is not for this machine is in the lockfile alone.
    const { size, mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? {}
    return JSON.stringify([file.slice(root.length + sep.length), size, mtimeMs])
  })
  return `sha256-${createHash("sha256").update(described.join("")).digest("hex")}`
}

/**
 * Everything below that is no directory, sorted; what lies in a directory of the name `without`, not. In one piece: a plugin
 * may have thousands of files, and waiting for each of them takes ten times as long as looking at it.
 */
function leaves(directory: string, without?: string): Leaf[] {
  const found: Leaf[] = []
  function walk(below: string): void {
    for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`
      if (!entry.isDirectory()) found.push({ path, file: join(directory, path), isLink: entry.isSymbolicLink() })
      else if (entry.name !== without) walk(path)
    }
  }
  walk("")
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

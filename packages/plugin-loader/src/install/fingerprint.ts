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

/** Hashes the names and contents of everything in a directory. */
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
 * Hashes names, sizes and times of the plugin's own files and of one file per package in npm's lockfile, which is far
 * cheaper. Detects lost or replaced packages and edits of the plugin, but not edits of its dependencies or manipulated
 * times.
 */
export async function statHash(root: string, name: string): Promise<string> {
  const lock = await readLock(root)
  const own = leaves(join(root, "node_modules", name), "node_modules").map(({ file }) => file)
  const manifests = Object.keys(lock).map((place) => join(root, place, "package.json"))
  const described = [join(root, "package-lock.json"), ...manifests, ...own].map((file) => {
    // Packages for other platforms are only in the lockfile.
    const { size, mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? {}
    return JSON.stringify([file.slice(root.length + sep.length), size, mtimeMs])
  })
  return `sha256-${createHash("sha256").update(described.join("")).digest("hex")}`
}

/**
 * Returns everything below the directory except directories, sorted, without directories named `without`. Synchronous,
 * because a plugin may have thousands of files, and awaiting each one takes ten times as long.
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

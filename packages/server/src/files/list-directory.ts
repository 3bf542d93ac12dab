import { readdir } from "node:fs/promises"
import { join, relative } from "node:path"
import { git } from "./git.ts"

export interface FileNode {
  readonly name: string
  /** Relative to the directory of the work. */
  readonly path: string
  readonly absolute: string
  readonly type: "file" | "directory"
  readonly ignored: boolean
}

/** Directories first, then files, each by name. */
export async function listDirectory(directory: string, root: string): Promise<FileNode[]> {
  const entries = (await readdir(directory, { withFileTypes: true })).filter(({ name }) => name !== ".git")
  const names = entries.map(({ name }) => `${name}\0`).join("")
  const ignored = new Set((await git(directory, ["check-ignore", "--stdin", "-z"], names))?.split("\0"))
  const nodes = entries.map((entry): FileNode => {
    const absolute = join(directory, entry.name)
    const type = entry.isDirectory() ? "directory" : "file"
    return { name: entry.name, path: relative(root, absolute), absolute, type, ignored: ignored.has(entry.name) }
  })
  return nodes.toSorted((a, b) => a.type.localeCompare(b.type) || (a.name < b.name ? -1 : 1))
}

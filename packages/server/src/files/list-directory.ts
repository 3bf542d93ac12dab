import { readdir } from "node:fs/promises"
import { join, relative } from "node:path"
import { RequestError } from "../request-error.ts"
import { git } from "./git.ts"
import type { ReadRules } from "./read-rules.ts"

export interface FileNode {
  readonly name: string
  /** Relative to the working directory. */
  readonly path: string
  readonly absolute: string
  readonly type: "file" | "directory"
  readonly ignored: boolean
}

/** Returns directories before files, sorted by name, without unreadable ones. Throws RequestError for a file. */
export async function listDirectory(directory: string, root: string, rules: ReadRules): Promise<FileNode[]> {
  const all = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTDIR") throw error
    throw new RequestError("Query", `${relative(root, directory)} is not a directory.`)
  })
  const actions = await Promise.all(all.map(({ name }) => rules(join(directory, name))))
  const entries = all.filter(({ name }, at) => name !== ".git" && actions[at] !== "deny")
  const names = entries.map(({ name }) => `${name}\0`).join("")
  const ignored = new Set((await git(directory, ["check-ignore", "--stdin", "-z"], names))?.split("\0"))
  const nodes = entries.map((entry): FileNode => {
    const absolute = join(directory, entry.name)
    const type = entry.isDirectory() ? "directory" : "file"
    return { name: entry.name, path: relative(root, absolute), absolute, type, ignored: ignored.has(entry.name) }
  })
  return nodes.toSorted((a, b) => a.type.localeCompare(b.type) || (a.name < b.name ? -1 : 1))
}

import type { FileSystem } from "./file-system.ts"
import { parentOf } from "./layout.ts"

/** Throws if a file has the path of a directory. */
export function makeParents(fs: FileSystem, path: string): void {
  const parent = parentOf(path)
  if (parent === "" || fs.status(parent)?.isDirectory) return
  if (parent.includes("/")) makeParents(fs, parent)
  if (fs.makeDirectory(parent) || fs.status(parent)?.isDirectory) return
  throw Object.assign(new Error("ENOTDIR: not a directory"), { code: "ENOTDIR", path: parent })
}

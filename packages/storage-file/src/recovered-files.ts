import type { FileStatus, FileSystem } from "./file-system.ts"
import { parentOf } from "./layout.ts"

/** The files that recovery would write: their bytes, or null for a removal. */
export type FileContents = ReadonlyMap<string, Buffer | null>

/**
 * A file system as it is after recovery, where recovery cannot write. Reads see these files in place of those on the
 * disk. Changes go to the disk.
 */
export interface RecoveredFiles {
  readonly fs: FileSystem
  /** Shows the files of a session from now on. */
  show(id: string, files: FileContents): void
  /** Shows the session's files on the disk again. */
  hide(id: string): void
  /** Shows these files, too, while `read` runs, which must be synchronous. */
  during<T>(files: FileContents, read: () => T): T
}

/** Files and the directories above them, under inodes that no disk has: what is remembered by status is never mixed up. */
interface Layer {
  readonly files: FileContents
  readonly directories: ReadonlyMap<string, ReadonlySet<string>>
  readonly inode: number
}

const NONE: Layer[] = []

export function createRecoveredFiles(disk: FileSystem): RecoveredFiles {
  const shown = new Map<string, Layer>()
  let transient: Layer | undefined
  let lastInode = 0

  /** The topmost first. */
  function layers(): Layer[] {
    if (!transient && shown.size === 0) return NONE
    return [...(transient ? [transient] : []), ...shown.values()]
  }

  function layerOf(path: string): Layer | undefined {
    return layers().find(({ files }) => files.has(path))
  }

  function status(path: string): FileStatus | undefined {
    const onDisk = disk.status(path)
    const layer = layerOf(path)
    if (layer) {
      const size = layer.files.get(path)?.length
      const { inode } = layer
      return size === undefined
        ? undefined
        : { size, changed: inode, touched: inode, inode, links: 1, isDirectory: false }
    }
    const above = layers().find(({ directories }) => directories.has(path))
    if (!above) return onDisk
    return { size: 0, changed: 0, touched: 0, links: 1, ...onDisk, inode: above.inode, isDirectory: true }
  }

  function readFile(path: string): Buffer | undefined {
    const layer = layerOf(path)
    return layer ? (layer.files.get(path) ?? undefined) : disk.readFile(path)
  }

  function readDirectory(path: string): string[] | undefined {
    const above = layers().filter(({ directories }) => directories.has(path))
    if (above.length === 0) return disk.readDirectory(path)
    const names = new Set(disk.readDirectory(path))
    for (const layer of above.toReversed()) {
      for (const name of layer.directories.get(path) ?? []) {
        if (layer.files.get(`${path}/${name}`) === null) names.delete(name)
        else names.add(name)
      }
    }
    return [...names]
  }

  function toLayer(files: FileContents): Layer {
    return { files, directories: directoriesOf(files), inode: --lastInode }
  }

  return {
    fs: {
      ...methodsOf(disk),
      status,
      readFile,
      readRange: (path, position, length) =>
        layerOf(path)
          ? (readFile(path) ?? Buffer.alloc(0)).subarray(position, position + length)
          : disk.readRange(path, position, length),
      readDirectory,
    },
    show(id, files) {
      if (files.size > 0 || shown.has(id)) shown.set(id, toLayer(files))
    },
    hide: (id) => void shown.delete(id),
    during(files, read) {
      const before = transient
      transient = toLayer(files)
      try {
        return read()
      } finally {
        transient = before
      }
    },
  }
}

/** The names below each directory that leads to a file. */
function directoriesOf(files: FileContents): Map<string, Set<string>> {
  const directories = new Map<string, Set<string>>()
  for (const [file, bytes] of files) {
    for (let path = file; path !== ""; path = parentOf(path)) {
      const parent = parentOf(path)
      // A file that is removed makes no directory.
      if (path !== file && bytes === null) break
      const names = directories.get(parent) ?? new Set()
      directories.set(parent, names.add(path.slice(parent === "" ? 0 : parent.length + 1)))
    }
  }
  return directories
}

/** The changes of a file system that may be an instance of a class. */
function methodsOf(disk: FileSystem): Omit<FileSystem, "status" | "readFile" | "readRange" | "readDirectory"> {
  return {
    makeDirectory: (path) => disk.makeDirectory(path),
    write: (path, bytes) => disk.write(path, bytes),
    overwrite: (path, position, bytes) => disk.overwrite(path, position, bytes),
    append: (path, bytes) => disk.append(path, bytes),
    truncate: (path, size) => disk.truncate(path, size),
    rename: (from, to) => disk.rename(from, to),
    link: (existing, path) => disk.link(existing, path),
    remove: (path) => disk.remove(path),
    removeDirectory: (path) => disk.removeDirectory(path),
    touch: (path) => disk.touch(path),
    sync: (path) => disk.sync(path),
  }
}

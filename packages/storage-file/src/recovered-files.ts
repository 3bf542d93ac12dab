import type { FileStatus, FileSystem } from "./file-system.ts"
import { parentOf } from "./layout.ts"

/** The files that a recovery would write: their bytes, or null for a removal. */
export type FileContents = ReadonlyMap<string, Buffer | null>

/**
 * A file system view for a disk on which recovery cannot write. Reads see the recovered files in place of those on the
 * disk. Changes go to the disk.
 */
export interface RecoveredFiles {
  readonly fs: FileSystem
  /** Makes reads see these files of a session. */
  show(id: string, files: FileContents): void
  /** Makes reads see the files of the session on the disk again. */
  hide(id: string): void
  /** Makes reads see these files as well while `read` runs. `read` must be synchronous. */
  during<T>(files: FileContents, read: () => T): T
}

/**
 * Recovered files and their parent directories. Their inodes are negative, so that caches by status never mix them up
 * with files on the disk.
 */
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

  /** Newest first. */
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

/** Returns the names below each directory on the way to a file. */
function directoriesOf(files: FileContents): Map<string, Set<string>> {
  const directories = new Map<string, Set<string>>()
  for (const [file, bytes] of files) {
    for (let path = file; path !== ""; path = parentOf(path)) {
      const parent = parentOf(path)
      // A removed file does not create its parent directories.
      if (path !== file && bytes === null) break
      const names = directories.get(parent) ?? new Set()
      directories.set(parent, names.add(path.slice(parent === "" ? 0 : parent.length + 1)))
    }
  }
  return directories
}

/** Returns the methods as own properties, since the file system may be an instance of a class. */
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

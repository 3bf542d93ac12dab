import * as fs from "node:fs"
import { promisify } from "node:util"
import type { FileSystem } from "./file-system.ts"

const fsync = promisify(fs.fsync)
const fdatasync = promisify(fs.fdatasync)

/** Node's file system below `root`. Creates files with mode 0600 and directories with mode 0700. */
export function nodeFileSystem(root: string): FileSystem {
  // `join` would take as long as the system call itself, and paths below the root need no normalization.
  const at = (path: string) => `${root}/${path}`
  return {
    status(path) {
      const found = absentAs(undefined, () => fs.statSync(at(path), { throwIfNoEntry: false }), [...ABSENT, "ELOOP"])
      if (!found) return undefined
      const { size, mtimeMs, ctimeMs, ino, nlink } = found
      return { size, changed: mtimeMs, touched: ctimeMs, inode: ino, links: nlink, isDirectory: found.isDirectory() }
    },
    readFile: (path) => absentAs(undefined, () => readFile(at(path))),
    readRange: (path, position, length) => absentAs(Buffer.alloc(0), () => readRange(at(path), position, length)),
    readDirectory: (path) => absentAs(undefined, () => fs.readdirSync(at(path))),
    makeDirectory: (path) => unless(["EEXIST"], () => fs.mkdirSync(at(path), { mode: 0o700 })),
    write: (path, bytes) => fs.writeFileSync(at(path), bytes, { mode: 0o600 }),
    overwrite: (path, position, bytes) => overwrite(at(path), position, bytes),
    append: (path, bytes) => fs.writeFileSync(at(path), bytes, { mode: 0o600, flag: "a" }),
    truncate: (path, size) => fs.truncateSync(at(path), size),
    rename: (from, to) => fs.renameSync(at(from), at(to)),
    link: (existing, path) => unless(["EEXIST"], () => fs.linkSync(at(existing), at(path))),
    remove: (path) => unless(ABSENT, () => fs.unlinkSync(at(path))),
    removeDirectory: (path) => unless([...ABSENT, "ENOTEMPTY", "EEXIST"], () => fs.rmdirSync(at(path))),
    touch(path) {
      const now = Date.now() / 1000
      fs.utimesSync(at(path), now, now)
    },
    sync: (path) => sync(at(path)),
  }
}

const ABSENT = ["ENOENT", "ENOTDIR"]

function absentAs<T>(absent: T, read: () => T, codes: readonly string[] = ABSENT): T {
  try {
    return read()
  } catch (error) {
    if (codes.includes(codeOf(error))) return absent
    throw error
  }
}

/** Returns false if the work failed with one of these codes. */
function unless(codes: readonly string[], work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (codes.includes(codeOf(error))) return false
    throw error
  }
}

/** Reads a directory at the path of a file as an empty file. */
function readFile(path: string): Buffer {
  try {
    return fs.readFileSync(path)
  } catch (error) {
    if (codeOf(error) === "EISDIR") return Buffer.alloc(0)
    throw error
  }
}

function readRange(path: string, position: number, length: number): Buffer {
  const file = fs.openSync(path, "r")
  try {
    const buffer = Buffer.allocUnsafe(length)
    let read = 0
    while (read < length) {
      const count = fs.readSync(file, buffer, read, length - read, position + read)
      if (count === 0) break
      read += count
    }
    return buffer.subarray(0, read)
  } finally {
    fs.closeSync(file)
  }
}

function overwrite(path: string, position: number, bytes: Uint8Array): void {
  const file = fs.openSync(path, "r+")
  try {
    let written = 0
    while (written < bytes.length) written += fs.writeSync(file, bytes, written, null, position + written)
  } finally {
    fs.closeSync(file)
  }
}

async function sync(path: string): Promise<void> {
  let file: number
  try {
    file = fs.openSync(path, "r")
  } catch (error) {
    // Windows cannot open directories, and makes their names durable without a sync.
    if (process.platform === "win32" && ["EISDIR", "EPERM"].includes(codeOf(error))) return
    throw error
  }
  try {
    // fdatasync also writes the size, but not the times.
    await (fs.fstatSync(file).isDirectory() ? fsync(file) : fdatasync(file))
  } finally {
    fs.closeSync(file)
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ""
}

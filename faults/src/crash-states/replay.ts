import { posix } from "node:path"
import { type DirectoryNode, type DiskNode, lengthOf, newDirectory, newFile, sync } from "./disk.ts"
import { bytesOf, gathered, type SystemCall, textOf } from "./system-call.ts"

interface OpenFile {
  readonly node: DiskNode
  readonly flags: string
  offset: number
}

/** Applies the calls of one process to a simulated disk. */
export interface Replay {
  readonly root: DirectoryNode
  /** Returns true if the call may have changed what a power cut leaves. */
  apply(call: SystemCall): boolean
}

/** Simulates only `directory`, which initially contains `root`. Paths in the trace must be absolute. */
export function createReplay(directory: string, root = newDirectory()): Replay {
  const files = new Map<number, OpenFile>()

  function find(path: string): DiskNode | undefined {
    const parts = below(path)
    return parts?.reduce<DiskNode | undefined>((node, part) => {
      return node?.type === "directory" ? node.entries.get(part) : undefined
    }, root)
  }

  function parentOf(path: string): DirectoryNode | undefined {
    const parent = below(path)?.length === 0 ? undefined : find(posix.dirname(path))
    return parent?.type === "directory" ? parent : undefined
  }

  function below(path: string): string[] | undefined {
    const relative = posix.relative(directory, path)
    if (relative === "") return []
    return relative.startsWith("..") ? undefined : relative.split("/")
  }

  function link(path: string, node: DiskNode): boolean {
    const parent = parentOf(path)
    parent?.entries.set(posix.basename(path), node)
    return parent !== undefined
  }

  function unlink(path: string): boolean {
    return parentOf(path)?.entries.delete(posix.basename(path)) ?? false
  }

  function open(path: string, flags: string, file: number): boolean {
    const known = find(path)
    const parent = parentOf(path)
    if (!known && !parent) return false
    const node = known ?? newFile()
    files.set(file, { node, flags, offset: 0 })
    if (!known && parent) link(path, node)
    if (known?.type === "file" && flags.includes("O_TRUNC")) known.pending.push({ type: "truncate", length: 0 })
    return !known || flags.includes("O_TRUNC")
  }

  function write(file: OpenFile | undefined, bytes: Buffer, offset?: number): boolean {
    if (file?.node.type !== "file") return false
    const { node, flags } = file
    const at = offset ?? (flags.includes("O_APPEND") ? lengthOf(node) : file.offset)
    node.pending.push({ type: "write", offset: at, bytes })
    if (offset === undefined) file.offset = at + bytes.length
    if (/O_D?SYNC/.test(flags)) sync(node)
    return true
  }

  function rename(from: string, to: string): boolean {
    const node = find(from)
    if (!node) return false
    unlink(from)
    return link(to, node)
  }

  function truncate(node: DiskNode | undefined, length: number): boolean {
    if (node?.type !== "file") return false
    node.pending.push({ type: "truncate", length })
    return true
  }

  function copyDescriptor(from: number, to: number): boolean {
    const file = files.get(from)
    if (file) files.set(to, file)
    return false
  }

  return {
    root,
    apply({ name, args, result }) {
      if (result < 0) return false
      const [first = "", second = "", third = "", fourth = ""] = args
      const file = files.get(Number(first))
      switch (name) {
        case "open":
          return open(textOf(first), second, result)
        case "openat":
          return open(textOf(second), third, result)
        case "close":
          files.delete(Number(first))
          return false
        case "dup":
        case "fcntl":
          return name === "dup" || second.startsWith("F_DUPFD") ? copyDescriptor(Number(first), result) : false
        case "write":
          return file ? write(file, bytesOf(second).subarray(0, result)) : false
        case "pwrite64":
          return file ? write(file, bytesOf(second).subarray(0, result), Number(fourth)) : false
        case "pwritev":
          return file ? write(file, gathered(second).subarray(0, result), Number(fourth)) : false
        case "lseek":
          if (file) file.offset = result
          return false
        case "ftruncate":
          return truncate(file?.node, Number(second))
        case "truncate":
          return truncate(find(textOf(first)), Number(second))
        case "fsync":
        case "fdatasync":
          if (file) sync(file.node)
          return file !== undefined
        case "rename":
          return rename(textOf(first), textOf(second))
        case "renameat":
        case "renameat2":
          return rename(textOf(second), textOf(fourth))
        case "link":
          return linkTo(find(textOf(first)), textOf(second))
        case "linkat":
          return linkTo(find(textOf(second)), textOf(fourth))
        case "unlink":
        case "rmdir":
          return unlink(textOf(first))
        case "unlinkat":
          return unlink(textOf(second))
        case "mkdir":
          return link(textOf(first), newDirectory())
        case "mkdirat":
          return link(textOf(second), newDirectory())
        case "fallocate":
        case "copy_file_range":
        case "sendfile":
        case "symlink":
          if (file) throw new Error(`The disk model does not know ${name}.`)
          return false
        default:
          return false
      }
    },
  }

  function linkTo(node: DiskNode | undefined, path: string): boolean {
    return node !== undefined && link(path, node)
  }
}

/** The calls that a trace must contain for the replay. */
export const replayedCalls = [
  ...["open", "openat", "close", "dup", "fcntl", "write", "pwrite64", "writev", "pwritev", "lseek", "ftruncate"],
  ...["truncate", "fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "rmdir"],
  ...["unlinkat", "mkdir", "mkdirat", "fallocate", "copy_file_range", "sendfile", "symlink"],
]

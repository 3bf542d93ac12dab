import { posix } from "node:path"
import type { Fates, Loss } from "./fates.ts"

/** A change of a file's content that may not be on the disk yet. */
type Change =
  | { readonly type: "write"; readonly offset: number; readonly bytes: Buffer }
  | { readonly type: "truncate"; readonly length: number }

export interface FileNode {
  readonly type: "file"
  durable: Buffer
  pending: Change[]
}

export interface DirectoryNode {
  readonly type: "directory"
  /** Entries that processes see. */
  readonly entries: Map<string, DiskNode>
  /** Entries after a power cut. */
  durable: ReadonlyMap<string, DiskNode>
}

export type DiskNode = FileNode | DirectoryNode

export function newFile(): FileNode {
  return { type: "file", durable: Buffer.alloc(0), pending: [] }
}

export function newDirectory(): DirectoryNode {
  return { type: "directory", entries: new Map(), durable: new Map() }
}

export function sync(node: DiskNode): void {
  if (node.type === "directory") {
    node.durable = new Map(node.entries)
    return
  }
  node.durable = contentOf(node)
  node.pending = []
}

/**
 * Returns the content after `fates` decided about each unsynced change. Without `fates`, returns what processes see.
 */
export function contentOf({ durable, pending }: FileNode, fates?: Fates): Buffer {
  const changes = fates ? pending.flatMap((change) => surviving(change, fates.content())) : pending
  if (changes.length === 0) return durable
  const room = changes.reduce((most, change) => Math.max(most, endOf(change)), durable.length)
  const content = Buffer.alloc(room)
  durable.copy(content)
  let length = durable.length
  for (const change of changes) {
    if (change.type === "truncate") {
      content.fill(0, change.length)
      length = change.length
    } else if (change.bytes.length > 0) {
      change.bytes.copy(content, change.offset)
      length = Math.max(length, endOf(change))
    }
  }
  return content.subarray(0, length)
}

/** Returns the length that processes see. */
export function lengthOf({ durable, pending }: FileNode): number {
  return pending.reduce((length, change) => {
    return change.type === "truncate" ? change.length : Math.max(length, endOf(change))
  }, durable.length)
}

function endOf(change: Change): number {
  return change.type === "truncate" ? change.length : change.offset + change.bytes.length
}

function surviving(change: Change, fate: ReturnType<Fates["content"]>): Change[] {
  if (fate === "lost") return []
  if (fate === "kept" || change.type === "truncate") return [change]
  return [{ ...change, bytes: change.bytes.subarray(0, change.bytes.length >> 1) }]
}

/** Content of files by path below a directory; undefined for a directory. */
export type Files = ReadonlyMap<string, Buffer | undefined>

/** Returns what a power cut leaves below the root. */
export function stateAfter(root: DirectoryNode, loss: Loss): Files {
  const fates = loss.fates()
  const state = new Map<string, Buffer | undefined>()
  // A file with several names has one content.
  const contents = new Map<FileNode, Buffer>()
  const visit = (directory: DirectoryNode, path: string) => {
    for (const [name, node] of survivingEntries(directory, fates)) {
      const place = path === "" ? name : `${path}/${name}`
      if (node.type === "directory") {
        state.set(place, undefined)
        visit(node, place)
        continue
      }
      const content = contents.get(node) ?? contentOf(node, fates)
      contents.set(node, content)
      state.set(place, content)
    }
  }
  visit(root, "")
  return state
}

function survivingEntries({ entries, durable }: DirectoryNode, fates: Fates): [string, DiskNode][] {
  const names = [...new Set([...durable.keys(), ...entries.keys()])]
  return names.flatMap((name): [string, DiskNode][] => {
    const [now, before] = [entries.get(name), durable.get(name)]
    const node = now === before || fates.entry() === "kept" ? now : before
    return node ? [[name, node]] : []
  })
}

/** Creates a directory with these files, all of them durable. */
export function directoryWith(files: Files): DirectoryNode {
  const root = newDirectory()
  const at = (path: string): DirectoryNode => {
    if (path === "." || path === "") return root
    const parent = at(posix.dirname(path))
    const known = parent.entries.get(posix.basename(path))
    if (known?.type === "directory") return known
    const directory = newDirectory()
    parent.entries.set(posix.basename(path), directory)
    return directory
  }
  for (const [path, content] of files) {
    if (content) at(posix.dirname(path)).entries.set(posix.basename(path), { ...newFile(), durable: content })
    else at(path)
  }
  const settle = (directory: DirectoryNode) => {
    sync(directory)
    for (const node of directory.entries.values()) if (node.type === "directory") settle(node)
  }
  settle(root)
  return root
}

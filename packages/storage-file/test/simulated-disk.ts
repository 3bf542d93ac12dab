import type { FileStatus, FileSystem } from "../src/file-system.ts"

interface File {
  readonly inode: number
  bytes: Buffer
  /** What is on the disk; undefined while nothing of it is. */
  synced: Buffer | undefined
  changed: number
}

interface Directory {
  readonly inode: number
  changed: number
  entries: Map<string, Node>
  /** The names that are on the disk. */
  synced: Map<string, Node>
}

type Node = File | Directory

/** What a power cut does to what was not synced. */
export interface PowerCut {
  readonly bytes: (path: string) => "kept" | "lost" | "half"
  readonly names: (path: string) => "kept" | "lost"
}

/** The process that used the disk is at its end: whatever it asks for after that fails. */
export class Stopped extends Error {
  override readonly name = "Stopped"
}

/** A disk in memory that can be stopped before its n-th change, and that knows what a power cut would leave of it. */
export class SimulatedDisk implements FileSystem {
  /** Changes and syncs so far. */
  operations = 0
  syncs = 0
  #stopBefore = Number.POSITIVE_INFINITY
  #isTorn = false
  #fail: ((operation: string, path: string) => string | undefined) | undefined
  #root: Directory
  #inodes = 1

  constructor(root?: Directory) {
    this.#root = root ?? { inode: 0, changed: 0, entries: new Map(), synced: new Map() }
  }

  /** Ends before the operation of that number; `torn`: in the middle of it, where it writes bytes. */
  stopBefore(operation: number, isTorn = false): void {
    this.#stopBefore = operation
    this.#isTorn = isTorn
  }

  /** Fails operations with the code returned. */
  failWith(fail: ((operation: string, path: string) => string | undefined) | undefined): void {
    this.#fail = fail
  }

  /** What the next process finds: everything, as when only the process ended, or what a power cut leaves. */
  next(cut?: PowerCut): SimulatedDisk {
    const copies = new Map<Node, Node>()
    const copy = (node: Node, path: string): Node => {
      const known = copies.get(node)
      if (known) return known
      const made = this.#copy(node, path, cut, copy)
      copies.set(node, made)
      return made
    }
    const disk = new SimulatedDisk(copy(this.#root, "") as Directory)
    disk.#inodes = this.#inodes
    return disk
  }

  status(path: string): FileStatus | undefined {
    this.#assertRunning()
    const node = this.#find(path)
    if (!node) return undefined
    const { inode, changed } = node
    const isDirectory = "entries" in node
    return { size: isDirectory ? 0 : node.bytes.length, changed, touched: changed, inode, links: 1, isDirectory }
  }
  readFile(path: string): Buffer | undefined {
    this.#assertRunning()
    const node = this.#find(path)
    return node && "bytes" in node ? Buffer.from(node.bytes) : undefined
  }
  readRange(path: string, position: number, length: number): Buffer {
    return this.readFile(path)?.subarray(position, position + length) ?? Buffer.alloc(0)
  }
  readDirectory(path: string): string[] | undefined {
    this.#assertRunning()
    const node = this.#find(path)
    return node && "entries" in node ? [...node.entries.keys()] : undefined
  }
  makeDirectory(path: string): boolean {
    this.#operate("makeDirectory", path)
    const [parent, name] = this.#parent(path)
    if (parent.entries.has(name)) return false
    parent.entries.set(name, { inode: this.#inodes++, changed: 0, entries: new Map(), synced: new Map() })
    parent.changed++
    return true
  }
  write(path: string, bytes: Uint8Array): void {
    const file = this.#open(path, "write")
    file.bytes = Buffer.from(this.#isTornNow() ? bytes.subarray(0, bytes.length / 2) : bytes)
    file.changed++
    this.#assertRunning()
  }
  overwrite(path: string, position: number, bytes: Uint8Array): void {
    const file = this.#open(path, "overwrite")
    const written = this.#isTornNow() ? bytes.subarray(0, bytes.length / 2) : bytes
    const rest = file.bytes.subarray(position + written.length)
    file.bytes = Buffer.concat([file.bytes.subarray(0, position), written, rest])
    file.changed++
    this.#assertRunning()
  }
  append(path: string, bytes: Uint8Array): void {
    const file = this.#open(path, "append")
    file.bytes = Buffer.concat([file.bytes, this.#isTornNow() ? bytes.subarray(0, bytes.length / 2) : bytes])
    file.changed++
    this.#assertRunning()
  }
  truncate(path: string, size: number): void {
    const file = this.#open(path, "truncate")
    file.bytes = file.bytes.subarray(0, size)
    file.changed++
  }
  rename(from: string, to: string): void {
    this.#operate("rename", to)
    const [source, name] = this.#parent(from)
    const node = source.entries.get(name)
    if (!node) throw systemError("ENOENT", from)
    const [target, newName] = this.#parent(to)
    if (target.entries.get(newName) === node) return
    target.entries.set(newName, node)
    source.entries.delete(name)
    source.changed++
    target.changed++
  }
  link(existing: string, path: string): boolean {
    this.#operate("link", path)
    const node = this.#find(existing)
    if (!node) throw systemError("ENOENT", existing)
    const [parent, name] = this.#parent(path)
    if (parent.entries.has(name)) return false
    parent.entries.set(name, node)
    parent.changed++
    return true
  }
  remove(path: string): boolean {
    this.#operate("remove", path)
    const [parent, name] = this.#parent(path, true)
    parent.changed++
    return parent.entries.delete(name)
  }
  removeDirectory(path: string): boolean {
    this.#operate("removeDirectory", path)
    const node = this.#find(path)
    if (!node || !("entries" in node) || node.entries.size > 0) return false
    const [parent, name] = this.#parent(path)
    parent.changed++
    return parent.entries.delete(name)
  }
  touch(path: string): void {
    this.#operate("touch", path)
    const node = this.#find(path)
    if (!node) throw systemError("ENOENT", path)
    node.changed++
  }
  async sync(path: string): Promise<void> {
    this.#operate("sync", path)
    this.syncs++
    const node = this.#find(path)
    if (!node) throw systemError("ENOENT", path)
    if ("entries" in node) node.synced = new Map(node.entries)
    else node.synced = Buffer.from(node.bytes)
  }

  #operate(operation: string, path: string): void {
    this.#assertRunning()
    this.operations++
    if (
      this.operations === this.#stopBefore &&
      !(this.#isTorn && ["write", "append", "overwrite"].includes(operation))
    ) {
      throw new Stopped(`Stopped before ${operation} of ${path}.`)
    }
    const code = this.#fail?.(operation, path)
    if (code !== undefined) throw systemError(code, path)
  }
  #assertRunning(): void {
    if (this.operations >= this.#stopBefore) throw new Stopped("The process has ended.")
  }
  #isTornNow(): boolean {
    return this.operations === this.#stopBefore
  }
  #open(path: string, operation: string): File {
    this.#operate(operation, path)
    const [parent, name] = this.#parent(path)
    const found = parent.entries.get(name)
    if (found && "bytes" in found) return found
    const file: File = { inode: this.#inodes++, bytes: Buffer.alloc(0), synced: undefined, changed: Date.now() }
    parent.entries.set(name, file)
    parent.changed++
    return file
  }
  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root
    for (const name of path.split("/")) {
      if (name === "") continue
      node = node && "entries" in node ? node.entries.get(name) : undefined
    }
    return node
  }
  #parent(path: string, mayLack = false): [Directory, string] {
    const at = path.lastIndexOf("/")
    const parent = this.#find(path.slice(0, Math.max(0, at)))
    if (parent && "entries" in parent) return [parent, path.slice(at + 1)]
    if (mayLack) return [{ inode: -1, changed: 0, entries: new Map(), synced: new Map() }, ""]
    throw systemError("ENOENT", path)
  }
  #copy(node: Node, path: string, cut: PowerCut | undefined, copy: (node: Node, path: string) => Node): Node {
    if ("entries" in node) {
      const names = cut?.names(path) === "lost" ? node.synced : node.entries
      const entries = new Map([...names].map(([name, child]) => [name, copy(child, `${path}/${name}`)]))
      return { inode: node.inode, changed: node.changed, entries, synced: new Map(entries) }
    }
    const fate = cut?.bytes(path) ?? "kept"
    const synced = node.synced ?? Buffer.alloc(0)
    // What was added to synced bytes may be there in part; these are there.
    const certain = node.bytes.subarray(0, synced.length).equals(synced) ? synced.length : 0
    const half = node.bytes.subarray(0, certain + (node.bytes.length - certain) / 2)
    const bytes = { kept: node.bytes, half, lost: synced }[fate]
    return { inode: node.inode, bytes, synced: Buffer.from(bytes), changed: node.changed }
  }
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path })
}

/** A change of a file's content that may not have reached the disk. */
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
  /** As processes see them. */
  readonly entries: Map<string, DiskNode>
  /** As they are after a power cut. */
  durable: ReadonlyMap<string, DiskNode>
}

export type DiskNode = FileNode | DirectoryNode

/** What becomes of what was not synced. `half`: of each write its first half, rounded down. */
export interface Loss {
  readonly content: "kept" | "half" | "lost"
  readonly entries: "kept" | "lost"
}

export const losses: readonly Loss[] = (["kept", "lost"] as const).flatMap((entries) =>
  (["kept", "half", "lost"] as const).map((content) => ({ content, entries })),
)

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
  node.durable = contentOf(node, "kept")
  node.pending = []
}

export function contentOf({ durable, pending }: FileNode, loss: Loss["content"]): Buffer {
  if (loss === "lost" || pending.length === 0) return durable
  const changes = loss === "half" ? pending.map(halved) : pending
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

/** The length as processes see it. */
export function lengthOf({ durable, pending }: FileNode): number {
  return pending.reduce((length, change) => {
    return change.type === "truncate" ? change.length : Math.max(length, endOf(change))
  }, durable.length)
}

function endOf(change: Change): number {
  return change.type === "truncate" ? change.length : change.offset + change.bytes.length
}

function halved(change: Change): Change {
  return change.type === "truncate" ? change : { ...change, bytes: change.bytes.subarray(0, change.bytes.length >> 1) }
}

/** What a power cut would leave: paths below the root, files with their content, directories with none. */
export function stateAfter(root: DirectoryNode, loss: Loss): Map<string, Buffer | undefined> {
  const state = new Map<string, Buffer | undefined>()
  const visit = (directory: DirectoryNode, path: string) => {
    for (const [name, node] of loss.entries === "kept" ? directory.entries : directory.durable) {
      const place = path === "" ? name : `${path}/${name}`
      state.set(place, node.type === "file" ? contentOf(node, loss.content) : undefined)
      if (node.type === "directory") visit(node, place)
    }
  }
  visit(root, "")
  return state
}

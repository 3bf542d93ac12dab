import type { FileChange, FileImage, UndoneFile } from "@pawl/core/host"
import type { BlobStore } from "@pawl/core/storage"
import { type FileContent, isSameImage, plainImage, readFileState, storedImage } from "./file-state.ts"
import { MAX_AFTER_BYTES, PARALLEL } from "./limits.ts"
import { mergeTexts } from "./merge.ts"
import { inParallel } from "./in-parallel.ts"

/** Works out for each path how it was without the changes. The contract is that of `FileHistory.plan`. */
export async function planUndo(changes: readonly FileChange[], blobs: BlobStore): Promise<readonly UndoneFile[]> {
  const byPath = Map.groupBy(changes, ({ path }) => path)
  return inParallel([...byPath], PARALLEL, ([path, own]) => planFile(path, joined(own), blobs))
}

/** Joins changes of a path that follow each other, where nothing else has changed the file in between. */
export function joined(changes: readonly FileChange[]): FileChange[] {
  const found: FileChange[] = []
  for (const change of changes) {
    const last = found.at(-1)
    const follows = last?.after !== undefined && isSameImage(last.after, change.before)
    if (last && follows) found[found.length - 1] = { ...last, ...withAfter(change), ...made(last, change) }
    else found.push(change)
  }
  return found
}

function withAfter({ after }: FileChange): Pick<FileChange, "after"> {
  return { after }
}

function made(first: FileChange, second: FileChange): Pick<FileChange, "madeDirectory"> {
  const directory = first.madeDirectory ?? second.madeDirectory
  return directory === undefined ? {} : { madeDirectory: directory }
}

async function planFile(path: string, changes: readonly FileChange[], blobs: BlobStore): Promise<UndoneFile> {
  const read = await readFileState(path, MAX_AFTER_BYTES)
  if (read.type === "unreadable") return alone(path, null, "uncovered", "It cannot be read.")
  if (read.type === "large") return alone(path, null, "uncovered", "It is too large to keep.")
  // A directory in the place of the file is removed with its files, or stays.
  const present = read.type === "file" ? read.file : undefined
  const had = present ? await storedImage(present, blobs) : null
  const isAsLeft = read.type !== "other" || read.stats.isDirectory()
  if (!isAsLeft) return alone(path, null, "conflict", "Something else than a file has taken its place.")
  let now: Folded = { content: present, isMerged: false }
  for (const change of changes.toReversed()) {
    const next = await withoutChange(now, change, blobs)
    if ("reason" in next) return alone(path, had, next.outcome, next.reason, next.wanted)
    now = next
  }
  const directory = changes.find(({ madeDirectory }) => madeDirectory)?.madeDirectory
  const left = now.content ? await storedImage(now.content, blobs) : null
  if (isSameImage(had, left)) return { path, had, left: had, outcome: "unchanged" }
  return {
    ...{ path, had, left, outcome: now.isMerged ? "merged" : "restored" },
    ...(directory !== undefined && left === null ? { madeDirectory: directory } : {}),
  }
}

interface Folded {
  readonly content: FileContent | undefined
  readonly isMerged: boolean
}

interface Failed {
  readonly outcome: "conflict" | "uncovered"
  readonly reason: string
  readonly wanted?: FileImage | null
}

/** Returns the file without its newest change, or why that is not possible. */
async function withoutChange(
  { content, isMerged }: Folded,
  change: FileChange,
  blobs: BlobStore,
): Promise<Folded | Failed> {
  const { before, after } = change
  const present = content ? plainImage(content) : null
  if (isSameImage(present, before)) return { content, isMerged }
  if (after === undefined) {
    return { outcome: "conflict", reason: "The call was interrupted, so it is not known what it left.", wanted: before }
  }
  const old = before === null ? undefined : await contentOf(before, blobs)
  if (before !== null && !old) return { outcome: "uncovered", reason: missingReason(before) }
  if (isSameImage(present, after)) return { content: old, isMerged }
  const overlap: Failed = { outcome: "conflict", reason: "It was changed since.", wanted: before }
  if (!content || !old || !after) return overlap
  const base = await contentOf(after, blobs)
  if (!base) return after.isDropped ? { outcome: "uncovered", reason: missingReason(after) } : overlap
  if (content.isLink || base.isLink || old.isLink) return overlap
  const bytes = isEqual(base, old) ? content.bytes : mergeTexts(base.bytes, content.bytes, old.bytes)
  if (!bytes) return overlap
  // The mode goes back if it is as the change left it.
  const mode = content.mode === base.mode ? old.mode : content.mode
  return { content: { bytes, mode, isLink: false }, isMerged: true }
}

function missingReason({ isDropped }: FileImage): string {
  if (isDropped) return "Its content was removed, because old contents of the project exceeded their limit."
  return "Its old content was not kept."
}

function isEqual(a: FileContent, b: FileContent): boolean {
  return a.bytes.equals(b.bytes)
}

/** Returns the content of an image, or undefined if it was not kept. */
export async function contentOf(image: FileImage, blobs: Pick<BlobStore, "get">): Promise<FileContent | undefined> {
  const bytes = image.blob === undefined ? undefined : await blobs.get(image.blob)
  if (!bytes) return undefined
  return { bytes: Buffer.from(bytes), mode: image.mode ?? 0o644, isLink: image.isLink === true }
}

function alone(
  path: string,
  had: FileImage | null,
  outcome: "conflict" | "uncovered",
  reason: string,
  wanted?: FileImage | null,
): UndoneFile {
  return { path, had, left: had, outcome, reason, ...(wanted === undefined ? {} : { wanted }) }
}

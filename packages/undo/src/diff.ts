import { relative, sep } from "node:path"
import type { FileChange, FileDiff, FileImage } from "@pawl/core/host"
import type { BlobStore } from "@pawl/core/storage"
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff"
import { isSameImage } from "./file-state.ts"
import { inParallel } from "./in-parallel.ts"
import { PARALLEL } from "./limits.ts"
import { isText } from "./merge.ts"
import { contentOf } from "./plan.ts"

export interface DiffOptions {
  readonly directory: string
  readonly blobs: BlobStore
}

/** Number of changed lines from which on a patch replaces the whole file. */
const MAX_CHANGED_LINES = 5000

/** Returns the difference that changes make together. The contract is that of `FileHistory.diff`. */
export async function diffOf(changes: readonly FileChange[], options: DiffOptions): Promise<FileDiff[]> {
  const byPath = Map.groupBy(changes, ({ path }) => path)
  const found = await inParallel([...byPath], PARALLEL, async ([path, own]) => {
    const before = own[0]?.before ?? null
    const after = own.findLast((change) => change.after !== undefined)?.after
    if (after === undefined || isSameImage(before, after)) return []
    return [await fileDiff(path, before, after, options)]
  })
  return found.flat().toSorted((a, b) => (a.file < b.file ? -1 : 1))
}

async function fileDiff(
  path: string,
  before: FileImage | null,
  after: FileImage | null,
  { directory, blobs }: DiffOptions,
): Promise<FileDiff> {
  const file = shownPath(directory, path)
  const status = before === null ? "added" : after === null ? "deleted" : "modified"
  const [old, now] = await Promise.all([textOf(before, blobs), textOf(after, blobs)])
  if (old === undefined || now === undefined) return { file, additions: 0, deletions: 0, status }
  const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, old, now, undefined, undefined, {
    ...{ context: 3, maxEditLength: MAX_CHANGED_LINES, headerOptions: FILE_HEADERS_ONLY },
  })
  if (patch === undefined) {
    const whole = { additions: linesIn(now), deletions: linesIn(old) }
    return { file, ...whole, status, patch: wholePatch(file, old, now) }
  }
  const lines = patch.split("\n").slice(2)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { file, additions: count("+"), deletions: count("-"), status, patch }
}

/** Returns the text of an image; undefined if it was not kept or is not text. */
async function textOf(image: FileImage | null, blobs: BlobStore): Promise<string | undefined> {
  if (!image) return ""
  const content = await contentOf(image, blobs)
  return content && isText(content.bytes) ? content.bytes.toString("utf8") : undefined
}

function wholePatch(file: string, old: string, now: string): string {
  const part = (sign: string, text: string) =>
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => sign + line)
  const head = `@@ -1,${linesIn(old)} +1,${linesIn(now)} @@`
  return [`--- a/${file}`, `+++ b/${file}`, head, ...part("-", old), ...part("+", now), ""].join("\n")
}

function linesIn(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length
}

function shownPath(directory: string, path: string): string {
  const inside = relative(directory, path)
  return inside === "" || inside === ".." || inside.startsWith(`..${sep}`) ? path : inside
}

import type { Stats } from "node:fs"
import type { ToolContext } from "@pawl/core/tool"
import { isMissing } from "../paths.ts"
import type { ToolPath } from "../tool-paths.ts"
import { removeFile, writeAtomically } from "./atomic-write.ts"
import type { FileTimes } from "./file-times.ts"
import { inHeldParent, isMoved } from "./held-parent.ts"
import { type FileBytes, readBytes } from "./read-bytes.ts"
import { shownText } from "./text-file.ts"
import { type FileDiff, unifiedDiff } from "./unified-diff.ts"

export interface ChangeToFile {
  readonly file: Pick<ToolPath, "path" | "shown" | "target">
  /** As returned by `readBytes` when the change was prepared; undefined if there was no file. */
  readonly before: FileBytes | undefined
  /** New content; undefined removes the file. */
  readonly bytes: Uint8Array | undefined
  /** Permission bits for a new file. Default: the process's own. An existing file keeps its mode. */
  readonly mode?: number
}

export interface ChangedFile {
  /** Difference between the old and the new content, with changes of `afterWrite` included. */
  readonly diff: FileDiff
  /** SHA-256 of the new content in hex; undefined if the file was removed. */
  readonly hash: string | undefined
  /** Messages of `afterWrite` for the model. */
  readonly notes: readonly string[]
}

/**
 * Runs after a file was written, for example a formatter. Changes that it makes belong to the same change. Returns
 * messages for the model; a rejection fails the change.
 */
export type AfterWrite = (file: ChangeToFile["file"], context: ToolContext) => Promise<readonly string[]>

export interface ChangeFileDeps {
  readonly fileTimes: FileTimes
  readonly afterWrite?: AfterWrite | undefined
}

/**
 * Changes a file; all tools use this function. The old content is recorded durably before the first byte is written,
 * the new content afterwards, and the session then knows the new version. Writes and records nothing if the content is
 * the same. Rejects if the file changed since `before` was read. Callers hold the file's lock from reading it on.
 */
export async function changeFile(
  change: ChangeToFile,
  context: ToolContext,
  deps: ChangeFileDeps,
): Promise<ChangedFile> {
  const { file, before, bytes } = change
  context.signal.throwIfAborted()
  if (bytes && before?.bytes.equals(bytes)) {
    deps.fileTimes.record(context.sessionID, file.target, before.version)
    return { diff: { patch: "", additions: 0, deletions: 0 }, hash: before.version.hash, notes: [] }
  }
  await context.files.before(file.target, before?.bytes, before?.mode)
  context.signal.throwIfAborted()
  let notes: readonly string[] = []
  let isUntouched = true
  const assertUnchanged = (now: Stats | undefined) => {
    isUntouched = !isUnchanged(now, before)
    if (!isUntouched) return
    throw new Error(
      `${file.shown} was changed by another process during this call. Read it again, then repeat the change.`,
    )
  }
  try {
    assertUnchanged(await statsOf(file.target))
    if (bytes) await writeAtomically(file.target, bytes, { mode: change.mode, assertUnchanged })
    else await removeFile(file.target, { assertUnchanged })
    if (bytes && deps.afterWrite) notes = await deps.afterWrite(file, context)
  } catch (error) {
    // Record what a half-finished change left, but not what other processes wrote. If the file cannot be read, the
    // record stays open.
    const recording =
      isUntouched || isMoved(error)
        ? context.files.after(file.target, before?.bytes, before?.mode)
        : recordAfter(file.target, context)
    await recording.catch(() => undefined)
    throw error
  }
  const after = await recordAfter(file.target, context)
  if (after) deps.fileTimes.record(context.sessionID, file.target, after.version)
  return { diff: await diffOf(file.path, before?.bytes, after?.bytes), hash: after?.version.hash, notes }
}

async function recordAfter(target: string, context: ToolContext): Promise<FileBytes | undefined> {
  const after = await readBytes(target, Infinity)
  await context.files.after(target, after?.bytes, after?.mode)
  return after
}

function isUnchanged(now: Stats | undefined, before: FileBytes | undefined): boolean {
  if (!before) return now === undefined
  // Timestamps are coarse, so compare the inode too.
  return now?.ino === before.inode && now.mtimeMs === before.version.mtimeMs && now.size === before.version.size
}

async function statsOf(target: string): Promise<Stats | undefined> {
  try {
    return await inHeldParent(target, (held, name) => held.stat(name))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function diffOf(path: string, before: Buffer | undefined, after: Buffer | undefined): Promise<FileDiff> {
  return unifiedDiff(path, before ? shownText(before) : "", after ? shownText(after) : "")
}

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
  readonly place: Pick<ToolPath, "path" | "shown" | "target">
  /** As `readBytes` found it when the change was worked out; undefined where there is no file. */
  readonly before: FileBytes | undefined
  /** What it is to hold; undefined: it is removed. */
  readonly bytes: Uint8Array | undefined
  /** Permission bits of a file that is made anew; default: as the process makes files. One that exists keeps its own. */
  readonly mode?: number
}

export interface ChangedFile {
  /** From what there was before to what is there now. */
  readonly diff: FileDiff
  /** SHA-256 in hex of what is there now; undefined where the file was removed. */
  readonly hash: string | undefined
  /** What the model should know besides, as `afterWrite` told it. */
  readonly notes: readonly string[]
}

/**
 * What happens to a file that was just written, such as a formatter: it may change the file again, which counts as part
 * of the same change. Returns what the model should know; whatever it rejects with becomes the change's error.
 */
export type AfterWrite = (place: ChangeToFile["place"], context: ToolContext) => Promise<readonly string[]>

export interface ChangeFileDeps {
  readonly fileTimes: FileTimes
  readonly afterWrite?: AfterWrite | undefined
}

/**
 * The one way in which tools change a file: its image before is durable before the first byte is written, its image after
 * is told when it is done, and the session has then seen the new version. Where nothing changes, nothing is written and
 * nothing recorded. Rejects when the file changed since `before` was read. Hold the file's lock from reading it on.
 */
export async function changeFile(
  change: ChangeToFile,
  context: ToolContext,
  deps: ChangeFileDeps,
): Promise<ChangedFile> {
  const { place, before, bytes } = change
  context.signal.throwIfAborted()
  if (bytes && before?.bytes.equals(bytes)) {
    deps.fileTimes.record(context.sessionID, place.target, before.version)
    return { diff: { patch: "", additions: 0, deletions: 0 }, hash: before.version.hash, notes: [] }
  }
  await context.files.before(place.target, before?.bytes, before?.mode)
  context.signal.throwIfAborted()
  let notes: readonly string[] = []
  let isUntouched = true
  const assertUnchanged = (now: Stats | undefined) => {
    isUntouched = !isUnchanged(now, before)
    if (!isUntouched) return
    throw new Error(
      `${place.shown} was changed by somebody else during this call. Read it again, then repeat the change.`,
    )
  }
  try {
    assertUnchanged(await statsOf(place.target))
    if (bytes) await writeAtomically(place.target, bytes, { mode: change.mode, assertUnchanged })
    else await removeFile(place.target, { assertUnchanged })
    if (bytes && deps.afterWrite) notes = await deps.afterWrite(place, context)
  } catch (error) {
    // What a change that failed half-way left there belongs in the record, and what others wrote does not; where it
    // cannot be read, the record stays open.
    const recording =
      isUntouched || isMoved(error)
        ? context.files.after(place.target, before?.bytes, before?.mode)
        : recordAfter(place.target, context)
    await recording.catch(() => undefined)
    throw error
  }
  const after = await recordAfter(place.target, context)
  if (after) deps.fileTimes.record(context.sessionID, place.target, after.version)
  return { diff: await diffOf(place.path, before?.bytes, after?.bytes), hash: after?.version.hash, notes }
}

async function recordAfter(target: string, context: ToolContext): Promise<FileBytes | undefined> {
  const after = await readBytes(target, Infinity)
  await context.files.after(target, after?.bytes, after?.mode)
  return after
}

function isUnchanged(now: Stats | undefined, before: FileBytes | undefined): boolean {
  if (!before) return now === undefined
  // Times are coarse, but a file that was replaced is another one.
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

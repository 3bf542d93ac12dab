import type { ToolContext } from "@pawl/core/tool"
import { type ChangedFile, changeFile, type ChangeFileDeps } from "../file/change-file.ts"
import { type FileBytes, readBytes } from "../file/read-bytes.ts"
import type { PlannedFile } from "./patch-plan.ts"

export interface WrittenFile extends PlannedFile {
  readonly changed: ChangedFile
}

/**
 * Writes all files, then removes those that the patch deletes. If a file fails, restores the earlier ones, except those
 * that another process has changed since, and names these in the error. Created directories stay. Callers hold the
 * locks of all files.
 */
export async function writePlan(
  files: readonly PlannedFile[],
  context: ToolContext,
  deps: ChangeFileDeps,
): Promise<readonly WrittenFile[]> {
  const differing = files.filter(({ before, bytes }) => before !== undefined || bytes !== undefined)
  const ordered = [...differing.filter(({ bytes }) => bytes), ...differing.filter(({ bytes }) => !bytes)]
  const written: WrittenFile[] = []
  try {
    for (const file of ordered) written.push({ ...file, changed: await changeFile(changeOf(file), context, deps) })
    return written
  } catch (error) {
    const begun = ordered.slice(0, written.length + 1).map((file, index) => written[index] ?? file)
    const lost = await restored(begun.toReversed(), context, deps)
    if (lost.length === 0) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${why}\nThe patch was applied in part: these files could not be put back: ${lost.join(", ")}.`, {
      cause: error,
    })
  }
}

function changeOf({ file, before, bytes, mode }: PlannedFile) {
  return { file, before, bytes, ...(mode === undefined ? {} : { mode }) }
}

/** Restores the old contents. Returns the paths that could not be restored. */
async function restored(
  files: readonly (PlannedFile | WrittenFile)[],
  context: ToolContext,
  { fileTimes }: ChangeFileDeps,
): Promise<readonly string[]> {
  // Restoring must also work if the call was aborted.
  const unabortable = { ...context, signal: new AbortController().signal }
  const lost: string[] = []
  for (const planned of files) {
    const { file, before: original } = planned
    try {
      const before = await readBytes(file.target)
      if (before?.version.hash === original?.version.hash) continue
      if (isOurs(planned, before)) {
        const mode = original === undefined ? {} : { mode: original.mode }
        await changeFile({ file, before, bytes: original?.bytes, ...mode }, unabortable, { fileTimes })
      } else if ("changed" in planned) lost.push(file.shown)
    } catch {
      lost.push(file.shown)
    }
  }
  return lost
}

/** Returns true if this call wrote the current content. After a failure it may be a part of the new content. */
function isOurs(file: PlannedFile | WrittenFile, now: FileBytes | undefined): boolean {
  if ("changed" in file) return now?.version.hash === file.changed.hash
  if (!now || !file.bytes) return !now && !file.bytes
  // A new file appears whole, but a file that is filled in place may be incomplete.
  const length = file.before ? now.bytes.length : file.bytes.length
  return file.bytes.subarray(0, length).equals(now.bytes)
}

import type { ToolContext } from "@pawl/core/tool"
import { type ChangedFile, changeFile, type ChangeFileDeps } from "../file/change-file.ts"
import { type FileBytes, readBytes } from "../file/read-bytes.ts"
import type { PlannedFile } from "./patch-plan.ts"

export interface WrittenFile extends PlannedFile {
  readonly changed: ChangedFile
}

/**
 * Writes all files, and then takes away those that are to go. When one of them fails, those before it get back what they
 * held, but not over what somebody else has written meanwhile, and the error says which did not; directories that were
 * made stay. Hold the locks of all.
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

function changeOf({ place, before, bytes, mode }: PlannedFile) {
  return { place, before, bytes, ...(mode === undefined ? {} : { mode }) }
}

/** Puts back what the files held; resolves with those that it could not. */
async function restored(
  files: readonly (PlannedFile | WrittenFile)[],
  context: ToolContext,
  { fileTimes }: ChangeFileDeps,
): Promise<readonly string[]> {
  // The call may have been aborted: that is what the files are put back for.
  const unhurried = { ...context, signal: new AbortController().signal }
  const lost: string[] = []
  for (const file of files) {
    const { place, before: original } = file
    try {
      const before = await readBytes(place.target)
      if (before?.version.hash === original?.version.hash) continue
      if (isOurs(file, before)) {
        const mode = original === undefined ? {} : { mode: original.mode }
        await changeFile({ place, before, bytes: original?.bytes, ...mode }, unhurried, { fileTimes })
      } else if ("changed" in file) lost.push(place.shown)
    } catch {
      lost.push(place.shown)
    }
  }
  return lost
}

/** Whether what there is now was written by this call; of a file that failed it may be a part. */
function isOurs(file: PlannedFile | WrittenFile, now: FileBytes | undefined): boolean {
  if ("changed" in file) return now?.version.hash === file.changed.hash
  if (!now || !file.bytes) return !now && !file.bytes
  // A new file appears whole; one that is filled in place may have stopped half-way.
  const length = file.before ? now.bytes.length : file.bytes.length
  return file.bytes.subarray(0, length).equals(now.bytes)
}

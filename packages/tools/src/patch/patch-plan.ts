import { lstat } from "node:fs/promises"
import type { ToolContext } from "@pawl/core/tool"
import type { FileTimes } from "../file/file-times.ts"
import { missingFile } from "../file/missing-file.ts"
import { type FileBytes, readBytes } from "../file/read-bytes.ts"
import type { ToolPath } from "../tool-paths.ts"
import type { FileChange } from "./patch.ts"
import { patchedBytes } from "./patched-bytes.ts"

/** What is to become of one file. */
export interface PlannedFile {
  readonly place: ToolPath
  /** What there is now; undefined: no file. */
  readonly before: FileBytes | undefined
  /** What there is to be; undefined: no file. */
  bytes: Buffer | undefined
  /** Of a file that is made anew. */
  mode?: number
  /** The file whose content this is, when it was moved. */
  movedFrom?: PlannedFile
}

export interface PlacedChange {
  readonly change: FileChange
  readonly place: ToolPath
  /** Where the file goes to; absent: it stays. */
  readonly target?: ToolPath
}

export interface PatchPlan {
  /** In the order in which the patch first names them. */
  readonly files: readonly PlannedFile[]
  readonly notes: readonly string[]
}

/**
 * Works out in memory what a patch makes of the files; a later change of the same file sees the earlier one. Rejects with
 * what the model has to correct.
 */
export async function patchPlan(
  changes: readonly PlacedChange[],
  { sessionID }: Pick<ToolContext, "sessionID">,
  fileTimes: FileTimes,
): Promise<PatchPlan> {
  const files = new Map<string, PlannedFile>()
  const notes: string[] = []

  async function fileAt(place: ToolPath): Promise<PlannedFile> {
    const known = files.get(place.target)
    if (known) return known
    const before = await readBytes(place.target)
    const file: PlannedFile = { place, before, bytes: before?.bytes }
    files.set(place.target, file)
    return file
  }

  const isChanged = ({ place, before }: PlannedFile) => {
    return before !== undefined && fileTimes.isChanged(sessionID, place.target, before.version)
  }

  for (const { change, place, target } of changes) {
    const file = await fileAt(place)
    if (change.type === "add") {
      if (file.bytes) throw new Error(`${place.shown} exists already. Change it with "*** Update File:" instead.`)
      file.bytes = Buffer.from(change.content, "utf8")
      continue
    }
    if (!file.bytes) throw await missingFile(place)
    if (change.type === "delete") {
      await refuseLink(place)
      if (isChanged(file))
        throw new Error(`${place.shown} has changed since it was last read. Read it again, then delete it.`)
      file.bytes = undefined
      continue
    }
    if (isChanged(file))
      notes.push(`${place.shown} had changed since it was last read. Read it again before further edits.`)
    const patched = patchedBytes(file.bytes, change.hunks, place.shown)
    notes.push(...patched.notes)
    file.bytes = patched.bytes
    if (target) await move(file, await fileAt(target))
  }
  return { files: [...files.values()], notes }
}

async function move(file: PlannedFile, to: PlannedFile): Promise<void> {
  if (to === file) return
  if (to.bytes) throw new Error(`${to.place.shown} exists already, so ${file.place.shown} cannot be moved there.`)
  await refuseLink(file.place)
  to.bytes = file.bytes
  to.movedFrom = file
  const mode = file.before?.mode ?? file.mode
  if (mode !== undefined) to.mode = mode
  file.bytes = undefined
}

/** Taking away a link would take away what it leads to, and leave the link. */
async function refuseLink({ path, shown, target }: ToolPath): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isSymbolicLink()) return
  throw new Error(`${shown} is a link to ${target}. Name that file, or remove the link with bash.`)
}

import { lstat } from "node:fs/promises"
import type { ToolContext } from "@pawl/core/tool"
import type { FileTimes } from "../file/file-times.ts"
import { missingFile } from "../file/missing-file.ts"
import { type FileBytes, readBytes } from "../file/read-bytes.ts"
import type { ToolPath } from "../tool-paths.ts"
import type { FileChange } from "./patch.ts"
import { patchedBytes } from "./patched-bytes.ts"

/** The planned result for one file. */
export interface PlannedFile {
  readonly file: ToolPath
  /** Undefined if there is no file. */
  readonly before: FileBytes | undefined
  /** New content; undefined if the file is removed. */
  bytes: Buffer | undefined
  /** Mode of a new file. */
  mode?: number
  /** Set if the file was moved here. */
  movedFrom?: PlannedFile
}

export interface PlacedChange {
  readonly change: FileChange
  readonly file: ToolPath
  /** New path, if the file is moved. */
  readonly target?: ToolPath
}

export interface PatchPlan {
  /** In the order in which the patch first names them. */
  readonly files: readonly PlannedFile[]
  readonly notes: readonly string[]
}

/**
 * Applies a patch in memory. A later change of a file sees the earlier ones. Rejects with an error from which the model
 * can correct the patch.
 */
export async function patchPlan(
  changes: readonly PlacedChange[],
  { sessionID }: Pick<ToolContext, "sessionID">,
  fileTimes: FileTimes,
): Promise<PatchPlan> {
  const files = new Map<string, PlannedFile>()
  const notes: string[] = []

  async function planFor(file: ToolPath): Promise<PlannedFile> {
    const known = files.get(file.target)
    if (known) return known
    const before = await readBytes(file.target)
    const planned: PlannedFile = { file, before, bytes: before?.bytes }
    files.set(file.target, planned)
    return planned
  }

  const isChanged = ({ file, before }: PlannedFile) => {
    return before !== undefined && fileTimes.isChanged(sessionID, file.target, before.version)
  }

  for (const { change, file, target } of changes) {
    const planned = await planFor(file)
    if (change.type === "add") {
      if (planned.bytes) throw new Error(`${file.shown} exists already. Change it with "*** Update File:" instead.`)
      planned.bytes = Buffer.from(change.content, "utf8")
      continue
    }
    if (!planned.bytes) throw await missingFile(file)
    if (change.type === "delete") {
      await refuseLink(file)
      if (isChanged(planned))
        throw new Error(`${file.shown} has changed since it was last read. Read it again, then delete it.`)
      planned.bytes = undefined
      continue
    }
    if (isChanged(planned))
      notes.push(`${file.shown} had changed since it was last read. Read it again before further edits.`)
    const patched = patchedBytes(planned.bytes, change.hunks, file.shown)
    notes.push(...patched.notes)
    planned.bytes = patched.bytes
    if (target) await move(planned, await planFor(target))
  }
  return { files: [...files.values()], notes }
}

async function move(from: PlannedFile, to: PlannedFile): Promise<void> {
  if (to === from) return
  if (to.bytes) throw new Error(`${to.file.shown} exists already, so ${from.file.shown} cannot be moved there.`)
  await refuseLink(from.file)
  to.bytes = from.bytes
  to.movedFrom = from
  const mode = from.before?.mode ?? from.mode
  if (mode !== undefined) to.mode = mode
  from.bytes = undefined
}

/** Deleting the link's target would leave a dangling link. */
async function refuseLink({ path, shown, target }: ToolPath): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (!stats?.isSymbolicLink()) return
  throw new Error(`${shown} is a link to ${target}. Name that file, or remove the link with bash.`)
}

import { defineTool, type Tool, type ToolContext, type ToolResult } from "@pawl/core"
import { writeAtomically } from "../file/atomic-write.ts"
import type { FileLocks } from "../file/file-locks.ts"
import { type FileTimes, hashInMetadata, versionOf } from "../file/file-times.ts"
import { missingFile } from "../file/missing-file.ts"
import { type FileBytes, readBytes } from "../file/read-bytes.ts"
import { shownText } from "../file/text-file.ts"
import { unifiedDiff } from "../file/unified-diff.ts"
import { contentField, flagField, optional, textField, toolInput } from "../tool-input.ts"
import type { ToolPath, ToolPaths } from "../tool-paths.ts"
import { editedBytes } from "./edited-bytes.ts"

const input = toolInput("edit", {
  filePath: textField("The file to change: absolute, or relative to the working directory"),
  oldString: contentField("The text to replace, as it stands in the file; empty creates a new file"),
  newString: contentField("The text to put in its place; must differ from oldString"),
  replaceAll: optional(flagField("Replace every occurrence (default false)")),
})
type Input = ReturnType<typeof input.parse>

const MAX_EDITED_BYTES = 10 * 1024 * 1024

export interface EditToolOptions {
  readonly paths: ToolPaths
  readonly fileTimes: FileTimes
  readonly locks: FileLocks
}

export function editTool({ paths, fileTimes, locks }: EditToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "edit",
    description:
      "Replaces text in a file. `oldString` must be copied from the file with its indentation, without the line number " +
      "that read shows in front of each line, and must occur once: add surrounding lines until it does, or set " +
      "`replaceAll` to change every occurrence, as when renaming. Read the file before you edit it.",
    ...input,
    effect: "unsafe",
    permissions: (call, place) => paths.needs(call, call.filePath, place, "edit"),
    async execute(call, context) {
      const place = await paths.use(call, call.filePath, context)
      if (call.oldString === call.newString) {
        throw new Error(
          "oldString and newString are identical, so there is nothing to change. Give a different newString.",
        )
      }
      return locks.run(place.target, () => applyEdit(call, place, context, fileTimes))
    },
  })
}

async function applyEdit(
  call: Input,
  place: ToolPath,
  context: ToolContext,
  fileTimes: FileTimes,
): Promise<ToolResult> {
  context.signal.throwIfAborted()
  const before = await readBytes(place.target, MAX_EDITED_BYTES)
  const wasChanged = before !== undefined && fileTimes.isChanged(context.sessionID, place.target, before.version)
  const { bytes, notes } = await newContent(before, call, place)
  await writeAtomically(place.target, bytes)
  const version = await versionOf(place.target, bytes)
  fileTimes.record(context.sessionID, place.target, version)

  if (wasChanged) notes.push(`${place.shown} had changed since it was last read. Read it again before further edits.`)
  const diff = await unifiedDiff(place.path, before ? shownText(before.bytes) : "", shownText(bytes))
  return {
    title: place.title,
    output: ["Edit applied successfully.", ...notes].join("\n"),
    metadata: {
      diff: diff.patch,
      filediff: { file: place.path, ...diff },
      hash: hashInMetadata(version.hash),
    },
  }
}

async function newContent(
  before: FileBytes | undefined,
  { oldString, newString, replaceAll = false }: Input,
  { path, shown }: ToolPath,
): Promise<{ bytes: Buffer; notes: string[] }> {
  if (!before) {
    if (oldString !== "") throw await missingFile(path)
    return { bytes: Buffer.from(newString, "utf8"), notes: [] }
  }
  if (oldString === "") {
    throw new Error(
      `oldString is empty, but ${shown} exists. Give the text to replace, or use write to replace the whole file.`,
    )
  }
  return editedBytes(before.bytes, { oldString, newString, replaceAll }, shown)
}

import { defineTool, type Tool, type ToolContext, type ToolResult } from "@pawl/core/tool"
import { type AfterWrite, changeFile } from "../file/change-file.ts"
import type { FileLocks } from "../file/file-locks.ts"
import { type FileTimes, hashInMetadata } from "../file/file-times.ts"
import { missingFile } from "../file/missing-file.ts"
import { type FileBytes, readBytes } from "../file/read-bytes.ts"
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

const NOTHING_CHANGED = "Nothing was changed: newString stands there already."

export interface EditToolOptions {
  readonly paths: ToolPaths
  readonly fileTimes: FileTimes
  readonly locks: FileLocks
  readonly afterWrite?: AfterWrite | undefined
}

export function editTool({ paths, fileTimes, locks, afterWrite }: EditToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "edit",
    permission: "edit",
    description:
      "Replaces text in a file. `oldString` must be copied from the file with its indentation, without the line number " +
      "that read shows in front of each line, and must occur once: add surrounding lines until it does, or set " +
      "`replaceAll` to change every occurrence, as when renaming. Read the file before you edit it.",
    ...input,
    effect: "unsafe",
    changes: "recorded",
    permissions: (call, workspace) => paths.needs(call, call.filePath, workspace, "edit"),
    async execute(call, context) {
      const file = await paths.use(call, call.filePath, context)
      if (call.oldString === call.newString) {
        throw new Error(
          "oldString and newString are identical, so there is nothing to change. Give a different newString.",
        )
      }
      return locks.run(file.target, () => applyEdit(call, file, context, { fileTimes, afterWrite }), context.signal)
    },
  })
}

async function applyEdit(
  call: Input,
  file: ToolPath,
  context: ToolContext,
  deps: Pick<EditToolOptions, "fileTimes" | "afterWrite">,
): Promise<ToolResult> {
  context.signal.throwIfAborted()
  const before = await readBytes(file.target)
  const wasChanged = before !== undefined && deps.fileTimes.isChanged(context.sessionID, file.target, before.version)
  const { bytes, notes } = await newContent(before, call, file)
  const changed = await changeFile({ file, before, bytes }, context, deps)

  if (wasChanged) notes.push(`${file.shown} had changed since it was last read. Read it again before further edits.`)
  const isSame = before?.bytes.equals(bytes) ?? false
  return {
    title: file.title,
    output: [isSame ? NOTHING_CHANGED : "Edit applied successfully.", ...notes, ...changed.notes].join("\n"),
    metadata: {
      diff: changed.diff.patch,
      filediff: { file: file.path, ...changed.diff },
      ...(changed.hash === undefined ? {} : { hash: hashInMetadata(changed.hash) }),
    },
  }
}

async function newContent(
  before: FileBytes | undefined,
  { oldString, newString, replaceAll = false }: Input,
  { path, shown, target }: ToolPath,
): Promise<{ bytes: Buffer; notes: string[] }> {
  if (!before) {
    if (oldString !== "") throw await missingFile({ path, target })
    return { bytes: Buffer.from(newString, "utf8"), notes: [] }
  }
  if (oldString === "") {
    throw new Error(
      `oldString is empty, but ${shown} exists. Give the text to replace, or use write to replace the whole file.`,
    )
  }
  return editedBytes(before.bytes, { oldString, newString, replaceAll }, shown)
}

import { defineTool, type Tool, type ToolContext, type ToolResult } from "@pawl/core/tool"
import { editedBytes } from "../edit/edited-bytes.ts"
import { type AfterWrite, changeFile } from "../file/change-file.ts"
import type { FileLocks } from "../file/file-locks.ts"
import { type FileTimes, hashInMetadata } from "../file/file-times.ts"
import { missingFile } from "../file/missing-file.ts"
import { readBytes } from "../file/read-bytes.ts"
import { contentField, flagField, listField, objectField, optional, textField, toolInput } from "../tool-input.ts"
import type { ToolPath, ToolPaths } from "../tool-paths.ts"

const MAX_EDITS = 200

const edit = objectField(
  {
    oldString: contentField("The text to replace, as the edits before it leave the file"),
    newString: contentField("The text to put in its place; must differ from oldString"),
    replaceAll: optional(flagField("Replace every occurrence (default false)")),
  },
  "An edit",
)

const input = toolInput("multiedit", {
  filePath: textField("The file to change: absolute, or relative to the working directory"),
  edits: listField(edit, "The edits, in the order in which they are made", { min: 1, max: MAX_EDITS }),
})
type Input = ReturnType<typeof input.parse>

export interface MultieditToolOptions {
  readonly paths: ToolPaths
  readonly fileTimes: FileTimes
  readonly locks: FileLocks
  readonly afterWrite?: AfterWrite | undefined
}

/** Applies several edits to one file and writes it once: all edits are applied or none. */
export function multieditTool({ paths, locks, ...deps }: MultieditToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "multiedit",
    permission: "edit",
    description:
      "Makes several edits of one file, in their order: each sees what the ones before it made, and each follows the rules of edit. " +
      "When one of them fails, none is made. Prefer it to several calls of edit for the same file. Read the file before.",
    ...input,
    effect: "unsafe",
    changes: "recorded",
    permissions: (call, workspace) => paths.needs(call, call.filePath, workspace, "edit"),
    async execute(call, context) {
      const file = await paths.use(call, call.filePath, context)
      return locks.run(file.target, () => applyEdits(call, file, context, deps), context.signal)
    },
  })
}

async function applyEdits(
  { edits }: Input,
  file: ToolPath,
  context: ToolContext,
  deps: Pick<MultieditToolOptions, "fileTimes" | "afterWrite">,
): Promise<ToolResult> {
  context.signal.throwIfAborted()
  const before = await readBytes(file.target)
  const wasChanged = before !== undefined && deps.fileTimes.isChanged(context.sessionID, file.target, before.version)
  let bytes = before?.bytes
  const notes: string[] = []
  for (const [index, each] of edits.entries()) {
    const name = `Edit ${index + 1} of ${edits.length}`
    try {
      const edited = await editedOnce(bytes, each, file)
      bytes = edited.bytes
      notes.push(...edited.notes.map((note) => `${name}: ${note}`))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(`${name} failed, and none was made: ${why}`, { cause: error })
    }
  }
  const changed = await changeFile({ file, before, bytes }, context, deps)
  if (wasChanged) notes.push(`${file.shown} had changed since it was last read. Read it again before further edits.`)
  return {
    title: file.title,
    output: [
      `${edits.length} ${edits.length === 1 ? "edit" : "edits"} applied successfully.`,
      ...notes,
      ...changed.notes,
    ].join("\n"),
    metadata: {
      diff: changed.diff.patch,
      filediff: { file: file.path, ...changed.diff },
      ...(changed.hash === undefined ? {} : { hash: hashInMetadata(changed.hash) }),
    },
  }
}

async function editedOnce(
  before: Buffer | undefined,
  { oldString, newString, replaceAll = false }: Input["edits"][number],
  { path, shown, target }: ToolPath,
): Promise<{ readonly bytes: Buffer; readonly notes: readonly string[] }> {
  if (oldString === newString) throw new Error("oldString and newString are identical. Give a different newString.")
  if (oldString !== "") {
    if (before) return editedBytes(before, { oldString, newString, replaceAll }, shown)
    throw await missingFile({ path, target })
  }
  if (before) throw new Error(`oldString is empty, but ${shown} exists. Give the text to replace.`)
  return { bytes: Buffer.from(newString, "utf8"), notes: [] }
}

import { defineTool, type Tool } from "@pawl/core/tool"
import { type AfterWrite, changeFile } from "../file/change-file.ts"
import type { FileLocks } from "../file/file-locks.ts"
import { type FileTimes, hashInMetadata } from "../file/file-times.ts"
import { type FileBytes, readBytes } from "../file/read-bytes.ts"
import { decodeText, encodeText, type TextEncoding, toCarriageReturns, usesCarriageReturns } from "../file/text-file.ts"
import { contentField, textField, toolInput } from "../tool-input.ts"
import type { ToolPaths } from "../tool-paths.ts"

const input = toolInput("write", {
  filePath: textField("The file to write: absolute, or relative to the working directory"),
  content: contentField("The whole new content of the file"),
})
type Input = ReturnType<typeof input.parse>

export interface WriteToolOptions {
  readonly paths: ToolPaths
  readonly fileTimes: FileTimes
  readonly locks: FileLocks
  readonly afterWrite?: AfterWrite | undefined
}

export function writeTool({ paths, fileTimes, locks, afterWrite }: WriteToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "write",
    permission: "edit",
    description:
      "Creates a file with the given content, or replaces the whole file. Parent directories are created. " +
      "To change a part of an existing file, use edit. A file that changed since you read it is not replaced: read it again first.",
    ...input,
    effect: "idempotent",
    changes: "recorded",
    permissions: (call, workspace) => paths.needs(call, call.filePath, workspace, "edit"),
    async execute(call, context) {
      const file = await paths.use(call, call.filePath, context)
      const { path, shown, target, title } = file
      return locks.run(
        target,
        async () => {
          context.signal.throwIfAborted()
          // Reads the old content for its line endings, the diff and the record.
          const before = await readBytes(target)
          if (before && fileTimes.isChanged(context.sessionID, target, before.version)) {
            throw new Error(`${shown} has changed since it was last read. Read it again, then write.`)
          }
          const bytes = inStyleOf(before?.bytes, call.content)
          if (isForeign(before, bytes, context.files.earlier?.(target))) {
            throw new Error(`${shown} has changed since this call was interrupted. Read it again, then write.`)
          }
          const { diff, hash, notes } = await changeFile({ file, before, bytes }, context, { fileTimes, afterWrite })
          return {
            title,
            output: ["Wrote file successfully.", ...notes].join("\n"),
            metadata: {
              filepath: path,
              exists: before !== undefined,
              diff: diff.patch,
              ...(hash === undefined ? {} : { hash: hashInMetadata(hash) }),
            },
          }
        },
        context.signal,
      )
    },
  })
}

/**
 * For a call that runs again after a crash. Returns true if the file holds neither its content from before the first
 * run nor the call's content, so another process has changed it. `earlier` is as in `FileRecorder`.
 */
function isForeign(now: FileBytes | undefined, bytes: Buffer, earlier: string | null | undefined): boolean {
  if (earlier === undefined || now === undefined) return false
  return !now.bytes.equals(bytes) && `sha256:${now.version.hash}` !== earlier
}

/** Applies the byte order mark and the line endings of the replaced content. CR LF in the new content stays. */
function inStyleOf(existing: Buffer | undefined, content: string): Buffer {
  const before = existing && decodeText(existing)
  const keepsCarriageReturns = before && usesCarriageReturns(before.text) && !content.includes("\r\n")
  const text = keepsCarriageReturns ? toCarriageReturns(content) : content
  return encodeText(text.replace(/^\uFEFF/, ""), encodingFor(before?.encoding, text))
}

function encodingFor(before: TextEncoding | undefined, text: string): TextEncoding {
  if (before === undefined || before === "bytes" || before === "utf-8") {
    return text.startsWith("\uFEFF") ? "utf-8-bom" : "utf-8"
  }
  return before
}

import { defineTool, type Tool } from "@pawl/core"
import { writeAtomically } from "../file/atomic-write.ts"
import type { FileLocks } from "../file/file-locks.ts"
import { type FileTimes, hashInMetadata, versionOf } from "../file/file-times.ts"
import { readBytes } from "../file/read-bytes.ts"
import {
  decodeText,
  encodeText,
  shownText,
  type TextEncoding,
  toCarriageReturns,
  usesCarriageReturns,
} from "../file/text-file.ts"
import { unifiedDiff } from "../file/unified-diff.ts"
import { contentField, textField, toolInput } from "../tool-input.ts"
import type { ToolPaths } from "../tool-paths.ts"

const input = toolInput("write", {
  filePath: textField("The file to write: absolute, or relative to the working directory"),
  content: contentField("The whole new content of the file"),
})
type Input = ReturnType<typeof input.parse>

// What is replaced is read for its style and its diff.
const MAX_REPLACED_BYTES = 10 * 1024 * 1024

export interface WriteToolOptions {
  readonly paths: ToolPaths
  readonly fileTimes: FileTimes
  readonly locks: FileLocks
}

export function writeTool({ paths, fileTimes, locks }: WriteToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "write",
    description:
      "Creates a file with the given content, or replaces the whole file. Parent directories are created. " +
      "To change a part of an existing file, use edit. A file that changed since you read it is not replaced: read it again first.",
    ...input,
    effect: "idempotent",
    permissions: (call, place) => paths.needs(call, call.filePath, place, "edit"),
    async execute(call, context) {
      const { path, shown, target, title } = await paths.use(call, call.filePath, context)
      return locks.run(target, async () => {
        context.signal.throwIfAborted()
        const existing = await readBytes(target, MAX_REPLACED_BYTES)
        if (existing && fileTimes.isChanged(context.sessionID, target, existing.version)) {
          throw new Error(`${shown} has changed since it was last read. Read it again, then write.`)
        }
        const bytes = inStyleOf(existing?.bytes, call.content)
        await writeAtomically(target, bytes)
        const version = await versionOf(target, bytes)
        fileTimes.record(context.sessionID, target, version)
        const { patch } = await unifiedDiff(path, existing ? shownText(existing.bytes) : "", shownText(bytes))
        return {
          title,
          output: "Wrote file successfully.",
          metadata: { filepath: path, exists: existing !== undefined, diff: patch, hash: hashInMetadata(version.hash) },
        }
      })
    },
  })
}

/** New content with the byte order mark and the line ends of what it replaces. CR LF in the content itself is kept. */
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

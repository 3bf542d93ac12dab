import { constants, type FileHandle } from "node:fs/promises"
import { basename, join } from "node:path"
import { defineTool, isInProject, type Tool, type ToolContext, type ToolResult } from "@pawl/core/tool"
import { boundsOf } from "../bounds-of.ts"
import { displayName } from "../display-name.ts"
import { contentHash, type FileTimes, hashInMetadata } from "../file/file-times.ts"
import { inHeldDirectory, inHeldParent } from "../file/held-parent.ts"
import { missingFile } from "../file/missing-file.ts"
import { MAX_LINES } from "../limits.ts"
import { isMissing } from "../paths.ts"
import { countField, optional, textField, toolInput } from "../tool-input.ts"
import { createFoundFiles } from "../search/found-files.ts"
import type { ToolPath, ToolPaths } from "../tool-paths.ts"
import { fileKind, SAMPLE_BYTES } from "./file-kind.ts"
import { directoryOutput, fileOutput } from "./output.ts"
import { type LeftOutEntries, readDirectory } from "./read-directory.ts"
import { readNotebook } from "./read-notebook.ts"
import { readText } from "./read-text.ts"
import { readUpTo } from "./read-up-to.ts"
import type { PageRange } from "./text-page.ts"

const input = toolInput("read", {
  filePath: textField("The file or directory to read: absolute, or relative to the working directory"),
  offset: optional(countField("The line to start from, counted from 1")),
  limit: optional(countField(`How many lines to read (default and maximum ${MAX_LINES})`)),
})
type Input = ReturnType<typeof input.parse>

export interface ReadToolOptions {
  readonly paths: ToolPaths
  readonly fileTimes: FileTimes
}

export function readTool({ paths, fileTimes }: ReadToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "read",
    description:
      `Reads a file, or lists the entries of a directory. Text comes as \`N: line\` with line numbers, at most ${MAX_LINES} ` +
      "lines or 50 KB a call; continue with `offset`. Images (PNG, JPEG, GIF, WebP) and PDF files come as attachments, notebooks (.ipynb) as their cells. " +
      "Read several files in parallel when you need them all. The line number and the colon are not part of the file.",
    ...input,
    effect: "pure",
    permissions: (call, workspace) => paths.needs(call, call.filePath, workspace, "read"),
    async execute(call, context) {
      const file = await paths.use(call, call.filePath, context)
      const range = { offset: call.offset ?? 1, limit: Math.min(call.limit ?? MAX_LINES, MAX_LINES) }
      return readPath(file, range, context, fileTimes).catch(async (error: unknown) => {
        throw isMissing(error) ? await missingFile(file) : error
      })
    },
  })
}

async function readPath(
  file: ToolPath,
  range: PageRange,
  context: ToolContext,
  fileTimes: FileTimes,
): Promise<ToolResult> {
  const { target } = file
  return inHeldParent(target, async (held, name) => {
    if (held.stat(name)?.isDirectory()) {
      const [judge, bounds] = await Promise.all([createFoundFiles(context, file), boundsOf(context)])
      const isPart = isInProject(target, bounds)
      // The names of a home directory's hidden files reveal much about the user.
      const isHidden = (entry: string) => isPart && !isInProject(join(target, entry), bounds)
      return directoryResult(file, range, { isDenied: (entry) => judge(entry) === "deny", isHidden })
    }
    // Without O_NONBLOCK, opening would block if the file was replaced by a named pipe.
    const handle = await held.open(name, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return await fileResult(handle, file, range, context, fileTimes)
    } finally {
      await handle.close()
    }
  })
}

async function directoryResult(
  { path, shown, target, title }: ToolPath,
  range: PageRange,
  leftOut: LeftOutEntries,
): Promise<ToolResult> {
  const page = await inHeldDirectory(target, (held) => readDirectory(held.at("."), range, leftOut))
  if (page.total > 0 && range.offset > page.total) throw beyondEnd(shown, range.offset, `${page.total} entries`)
  const isTruncated = range.offset - 1 + page.entries.length < page.total
  return {
    title,
    output: directoryOutput(shown, page, range),
    metadata: { filepath: path, truncated: isTruncated },
  }
}

async function fileResult(
  handle: FileHandle,
  { path, shown, target, title }: ToolPath,
  range: PageRange,
  context: ToolContext,
  fileTimes: FileTimes,
): Promise<ToolResult> {
  const found = await handle.stat()
  if (!found.isFile()) throw new Error(`${shown} is not a regular file any more. Call the tool again.`)
  const { mtimeMs, size } = found
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
  const kind = fileKind(path, buffer.subarray(0, bytesRead))
  if (kind.type === "binary") {
    throw new Error(`Cannot read ${shown}: it is a binary file. Use bash with a tool that understands its format.`)
  }
  if (kind.type === "attachment") {
    const bytes = await readUpTo(handle, kind.maxBytes)
    if (!bytes) {
      throw new Error(
        `Cannot read ${shown}: ${size} bytes of ${kind.mime}, at most ${kind.maxBytes} can be attached. Make a smaller copy.`,
      )
    }
    const url = `data:${kind.mime};base64,${bytes.toString("base64")}`
    const noun = kind.mime === "application/pdf" ? "PDF" : "Image"
    return {
      title,
      output: `${noun} read successfully.`,
      metadata: { filepath: path, truncated: false, hash: hashInMetadata(await contentHash(bytes)) },
      attachments: [{ type: "file", mime: kind.mime, filename: displayName(basename(path)), url }],
    }
  }
  const text = (await readNotebook(handle, path, range)) ?? (await readText(handle, range, context.signal))
  if (range.offset > Math.max(text.total, 1)) throw beyondEnd(shown, range.offset, `${text.total} lines`)
  fileTimes.record(context.sessionID, target, { mtimeMs, size, hash: text.hash })
  return {
    title,
    output: fileOutput(shown, text, range),
    metadata: {
      filepath: path,
      truncated: text.next !== undefined,
      // The hash covers the whole file, however little of it is shown.
      ...(text.hash === undefined ? {} : { hash: hashInMetadata(text.hash) }),
    },
  }
}

function beyondEnd(shown: string, offset: number, extent: string): Error {
  return new Error(`Offset ${offset} is out of range: ${shown} has ${extent}. Use a smaller offset.`)
}

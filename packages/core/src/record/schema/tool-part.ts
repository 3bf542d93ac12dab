import { z } from "zod"
import { filePart } from "./content-parts.ts"
import { json, milliseconds, owner } from "./fields.ts"

export const toolState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("pending"), input: json, raw: z.string() }),
  z.object({
    status: z.literal("running"),
    input: json,
    title: z.string().optional(),
    metadata: json.optional(),
    time: z.object({ start: milliseconds }),
  }),
  z.object({
    status: z.literal("completed"),
    input: json,
    output: z.string(),
    title: z.string(),
    metadata: json,
    attachments: z.array(filePart).optional(),
    /** `compacted`: the time when the output was removed from the context; it stays stored. */
    time: z.object({ start: milliseconds, end: milliseconds, compacted: milliseconds.optional() }),
  }),
  z.object({
    status: z.literal("error"),
    input: json,
    error: z.string(),
    metadata: json.optional(),
    time: z.object({ start: milliseconds, end: milliseconds }),
  }),
])

/** The state of a file at one moment. */
export const fileImage = z.object({
  /** `sha256:` and the hash of its bytes in hex. */
  hash: z.string(),
  /** Bytes. */
  size: z.number(),
  /** The blob with its bytes; missing if the file is too large to keep. */
  blob: z.string().optional(),
  /** Set if the blob was dropped, because the contents of the project exceeded their limit. */
  isDropped: z.literal(true).optional(),
  /** Permission bits. */
  mode: z.number().optional(),
  /** Set for a symbolic link, whose bytes are its target. */
  isLink: z.literal(true).optional(),
})

export const fileChange = z.object({
  /** Absolute, with links resolved. */
  path: z.string(),
  /** Null if there was no file. */
  before: fileImage.nullable(),
  /** Null if the file was removed; missing if the call ended before the state was known. */
  after: fileImage.nullable().optional(),
  /** Absolute: the topmost directory that the change created for the file. */
  madeDirectory: z.string().optional(),
})

/** A file that a call changed or may have changed, and that undo cannot restore. */
export const uncoveredFile = z.object({
  /** Absolute. */
  path: z.string(),
  /**
   * `size`: too large to keep. `ignored`: git ignores it. `shared`: another process changed files at the same time.
   * `limit`: too many files to keep. `unreadable`: it could not be read. `background`: a job of the call still ran when
   * the run ended, and may have changed files in this directory since.
   */
  reason: z.enum(["size", "ignored", "shared", "limit", "unreadable", "background"]),
})

export const toolPart = z.object({
  ...owner,
  type: z.literal("tool"),
  callID: z.string(),
  tool: z.string(),
  state: toolState,
  /** Files that the call changed, each once, in the order of their first change. */
  changes: z.array(fileChange).optional(),
  /** Files that undo does not restore. */
  uncovered: z.array(uncoveredFile).optional(),
  /** Bytes of the input that the model reads, if requests show less of it. The stored input stays complete. */
  shownBytes: z.number().optional(),
  metadata: json.optional(),
})

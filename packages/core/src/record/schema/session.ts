import { z } from "zod"
import { fileImage } from "./tool-part.ts"
import { fileDiff, json, messageID, milliseconds, modelRef, partID, permissionRule, sessionID } from "./fields.ts"

/** A file that an undo has restored or left alone. */
export const undoneFile = z.object({
  /** Absolute, with links in its directory resolved. */
  path: z.string(),
  /** The file before the undo; null if there was none. */
  had: fileImage.nullable(),
  /** The file after the undo. The same as `had` if the undo leaves the file alone. */
  left: fileImage.nullable(),
  /**
   * `restored`: as before the session's changes. `merged`: other changes of the file are kept. `unchanged`: it was so
   * already. `conflict`: left alone, because other changes overlap. `uncovered`: left alone, because its old content is
   * unknown.
   */
  outcome: z.enum(["restored", "merged", "unchanged", "conflict", "uncovered"]),
  /** The file without the session's changes, for a conflict. */
  wanted: fileImage.nullable().optional(),
  /** Absolute: the topmost directory that the session made for a file that is removed. */
  madeDirectory: z.string().optional(),
  /** A sentence about a file that was left alone. */
  reason: z.string().optional(),
})

/** An undo of a session, which redo takes back. */
export const undoStep = z.object({
  id: z.string(),
  /** The first undone message. */
  messageID,
  /** The first undone part of that message. Missing: all of it. */
  partID: partID.optional(),
  /** Set if messages are undone. */
  chat: z.boolean(),
  files: z.array(undoneFile).optional(),
  /** Files that a redo is writing again. */
  redo: z.array(undoneFile).optional(),
  /** `applying`: files are being written, or a crash interrupted that. */
  status: z.enum(["applying", "done"]),
  time: z.object({ created: milliseconds }),
})

export const session = z.object({
  id: sessionID,
  projectID: z.string(),
  directory: z.string(),
  parentID: sessionID.optional(),
  title: z.string(),
  version: z.string(),
  agent: z.string().optional(),
  model: modelRef.optional(),
  /** Variant of the model in its last prompt, or "default" for none. */
  variant: z.string().optional(),
  /** The message where the context starts; missing before the first compaction. */
  boundary: messageID.optional(),
  summary: z
    .object({
      additions: z.number(),
      deletions: z.number(),
      files: z.number(),
      diffs: z.array(fileDiff).optional(),
    })
    .optional(),
  share: z.object({ url: z.string(), secret: z.string().optional() }).optional(),
  permission: z.array(permissionRule).optional(),
  revert: z
    .object({
      messageID,
      partID: partID.optional(),
      snapshot: z.string().optional(),
      diff: z.string().optional(),
    })
    .optional(),
  /** Undone work that redo takes back, oldest undo first. The next prompt makes it final. */
  undo: z.array(undoStep).optional(),
  /** Text for the model about an undo that a compaction made final. Added to the next prompt. */
  undoNotice: z.string().optional(),
  /** Notes that stay in the context through all compactions, oldest first. */
  pins: z.array(z.object({ id: z.string(), text: z.string(), time: z.object({ created: milliseconds }) })).optional(),
  /**
   * Permanent approvals of the user: for this session and all below it, for this agent, and for exactly this pattern
   * unless `glob` is set.
   */
  approvals: z
    .array(
      z.object({
        agent: z.string(),
        permission: z.string(),
        pattern: z.string(),
        /** Set if the user wrote the pattern: `*` and `?` match as in a rule that allows. */
        glob: z.boolean().optional(),
        /** Absolute path of the directory that the approval is limited to. Missing: the pattern is sufficient. */
        directory: z.string().optional(),
        time: z.object({ created: milliseconds }),
      }),
    )
    .optional(),
  /** The parent session's agent, and its call, that this session works for. */
  delegation: z.object({ agent: z.string(), messageID, callID: z.string() }).optional(),
  metadata: json.optional(),
  time: z.object({
    created: milliseconds,
    updated: milliseconds,
    /** Set while the session waits for a compaction: the time when that began. */
    compacting: milliseconds.optional(),
    archived: milliseconds.optional(),
  }),
})

import { z } from "zod"
import { fileDiff, json, messageID, milliseconds, modelRef, partID, permissionRule, sessionID } from "./fields.ts"

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
  /** Notes that stay in the context through all compactions, oldest first. */
  pins: z.array(z.object({ id: z.string(), text: z.string(), time: z.object({ created: milliseconds }) })).optional(),
  /**
   * Permanent approvals of the user: for this session and all below it, for this agent, and for exactly this pattern.
   */
  approvals: z
    .array(
      z.object({
        agent: z.string(),
        permission: z.string(),
        pattern: z.string(),
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

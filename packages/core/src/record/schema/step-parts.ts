import { z } from "zod"
import { fileChange, uncoveredFile } from "./tool-part.ts"
import { messageID, milliseconds, modelRef, owner, providerErrorKind, storedError, tokens } from "./fields.ts"

// Records of the engine about its own work.

export const stepStartPart = z.object({
  ...owner,
  type: z.literal("step-start"),
  snapshot: z.string().optional(),
  /**
   * The system prompt of the requests from this step to the next compaction; missing if an earlier step has stored it.
   */
  head: z
    .object({
      /** `provider/model`. */
      model: z.string(),
      agent: z.string(),
      prompt: z.string(),
      environment: z.string(),
      instructions: z.array(z.object({ path: z.string(), text: z.string() })),
    })
    .optional(),
})

export const stepFinishPart = z.object({
  ...owner,
  type: z.literal("step-finish"),
  reason: z.string(),
  snapshot: z.string().optional(),
  cost: z.number(),
  tokens,
  /** Milliseconds from the last attempt's request until its answer was complete. */
  took: z.number().optional(),
  /** The measurement of the request before it was sent, and what the calibration has learned about the model since. */
  measured: z
    .object({
      /** Bytes of text in UTF-8. */
      bytes: z.number(),
      /** Expected input tokens. */
      estimate: z.number(),
      bytesPerToken: z.number(),
      /** Moving mean of |estimate / observed - 1|. */
      error: z.number(),
      /** Observations so far. */
      samples: z.number(),
      /** Reason to accept the reported input, `size` or `growth`, or the problem for which it was ignored. */
      report: z.string().optional(),
      /** Input tokens of an ignored report; then `tokens` of the part may be an estimate. */
      reported: z.number().optional(),
      /** The request that the next report is compared with; missing if that is this one, or before the first. */
      basis: z.object({ bytes: z.number(), tokens: z.number() }).optional(),
      /** Number of ignored reports of this model so far. */
      ignored: z.number().optional(),
    })
    .optional(),
  /** Hashes of the request: of each system block and the tools, and of all messages. */
  prefix: z
    .object({
      head: z.array(z.string()),
      messages: z.number(),
      hash: z.string(),
      /** Number of steps in a row that each began with the previous request. */
      steps: z.number(),
      /** Reason that the provider could not reuse its cache; missing if it could. */
      bust: z.object({ reason: z.string(), firstChangedBlock: z.string(), owner: z.string() }).optional(),
    })
    .optional(),
})

export const snapshotPart = z.object({ ...owner, type: z.literal("snapshot"), snapshot: z.string() })

export const patchPart = z.object({
  ...owner,
  type: z.literal("patch"),
  /** Identifies the contents after the changes. */
  hash: z.string(),
  files: z.array(z.string()),
  /** The call of the same message that changed the files. */
  callID: z.string().optional(),
  /** Changes that the call did not record itself. */
  changes: z.array(fileChange).optional(),
  /** Files that undo does not restore. */
  uncovered: z.array(uncoveredFile).optional(),
})

export const retryPart = z.object({
  ...owner,
  type: z.literal("retry"),
  /** Number of the attempt at this step with this model, from 1. */
  attempt: z.number(),
  kind: providerErrorKind.optional(),
  error: storedError,
  /** When the next attempt begins. */
  next: milliseconds.optional(),
  /** Milliseconds since the step's first attempt began; missing if the time starts again. */
  elapsed: z.number().optional(),
  /**
   * Set when no attempt follows with this model: `to` answers instead of the requested model `for` until the next
   * prompt.
   */
  fallback: z.object({ for: modelRef, to: modelRef }).optional(),
  /** Usage of the attempt, if any; the message's figures include it. */
  cost: z.number().optional(),
  tokens: tokens.optional(),
  time: z.object({ created: milliseconds }),
})

/**
 * Requests outside of the conversation's steps. In an assistant's message: requests of a tool, which the message's
 * figures include. In a user's message: the session's title, or requests without a result.
 */
export const usagePart = z.object({
  ...owner,
  type: z.literal("usage"),
  purpose: z.enum(["title", "tool", "compaction", "retry"]),
  /** The tool call that made the requests. */
  callID: z.string().optional(),
  agent: z.string(),
  providerID: z.string(),
  modelID: z.string(),
  requests: z.number(),
  /** US dollars. */
  cost: z.number(),
  tokens,
  estimated: z.object({ tokens: z.number(), cost: z.number() }).optional(),
  time: z.object({ created: milliseconds }),
})

export const compactionPart = z.object({
  ...owner,
  type: z.literal("compaction"),
  auto: z.boolean(),
  /** Set if the provider refused the request or the model's window was full. */
  overflow: z.boolean().optional(),
  /** Estimated tokens that a request may have after the provider has refused one. */
  usable: z.number().optional(),
  /** Focus of the summary, in the user's words. */
  focus: z.string().optional(),
  /** The newest message that the summary replaces, or that was in the context when it was made: later ones stay. */
  through: messageID.optional(),
  /** The first message that stays word for word; missing if no message does. */
  tail_start_id: messageID.optional(),
  /** Ids of earlier messages, or of single parts of them, that also stay word for word. */
  keep: z.array(z.string()).optional(),
  /** Set while the summary is made in the background and is not in effect yet. */
  prepared: z.boolean().optional(),
  /** Model calls of compactions since the agent's last good answer, including those of this one. */
  calls: z.number().optional(),
  /** Good answers since the previous automatic compaction; missing if this is the first of a request. */
  answers: z.number().optional(),
  /** The newest good answer when this took effect; missing if there was none. */
  answered: messageID.optional(),
})

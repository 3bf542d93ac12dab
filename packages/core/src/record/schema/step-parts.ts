import { z } from "zod"
import { messageID, milliseconds, modelRef, owner, providerErrorKind, storedError, tokens } from "./fields.ts"

// What the engine notes of its own work.

export const stepStartPart = z.object({
  ...owner,
  type: z.literal("step-start"),
  snapshot: z.string().optional(),
  /** The system prompt of the requests from this step to the next compaction; absent if an earlier step has stored it. */
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
  /** The request as it was measured before it left, and what the measure has learned of the model since. */
  measured: z
    .object({
      /** Of text, in UTF-8. */
      bytes: z.number(),
      /** Input tokens that were expected. */
      estimate: z.number(),
      bytesPerToken: z.number(),
      /** Moving mean of |estimate / observed - 1|. */
      error: z.number(),
      /** Observations so far. */
      samples: z.number(),
      /** Why the reported input was believed, `size` or `growth`, or the problem for which it was ignored. */
      report: z.string().optional(),
      /** Input tokens of a report that was ignored; `tokens` of the part then may be an estimate. */
      reported: z.number().optional(),
      /** The request that the next report is judged against; absent if it is this one, or if there is none. */
      basis: z.object({ bytes: z.number(), tokens: z.number() }).optional(),
      /** Reports of this model that were ignored so far. */
      ignored: z.number().optional(),
    })
    .optional(),
  /** Hashes of the request: of each system block and the tools, and of all messages. */
  prefix: z
    .object({
      head: z.array(z.string()),
      messages: z.number(),
      hash: z.string(),
      /** Steps in a row that each began with the request of the one before. */
      steps: z.number(),
      /** Why the provider could not reuse what it had read; absent where it could. */
      bust: z.object({ reason: z.string(), firstChangedBlock: z.string(), owner: z.string() }).optional(),
    })
    .optional(),
})

export const snapshotPart = z.object({ ...owner, type: z.literal("snapshot"), snapshot: z.string() })

export const patchPart = z.object({
  ...owner,
  type: z.literal("patch"),
  hash: z.string(),
  files: z.array(z.string()),
})

export const retryPart = z.object({
  ...owner,
  type: z.literal("retry"),
  /** Of this step with this model, from 1. */
  attempt: z.number(),
  kind: providerErrorKind.optional(),
  error: storedError,
  /** When the next attempt begins. */
  next: milliseconds.optional(),
  /** Milliseconds since the step's first attempt began; absent where its time begins anew. */
  elapsed: z.number().optional(),
  /** No attempt follows with this model: `to` answers in place of `for`, the one that was asked for, until the next prompt. */
  fallback: z.object({ for: modelRef, to: modelRef }).optional(),
  /** What the attempt took, where it took anything; its message's figures have it too. */
  cost: z.number().optional(),
  tokens: tokens.optional(),
  time: z.object({ created: milliseconds }),
})

/**
 * Requests that are no step of the conversation. Of an assistant's message: what a call had a model say, which the
 * message's figures have too. Of a user's: the session's title, or what came of nothing.
 */
export const usagePart = z.object({
  ...owner,
  type: z.literal("usage"),
  purpose: z.enum(["title", "tool", "compaction", "retry"]),
  /** The tool call that asked. */
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
  /** The provider had refused the request, or the model's window was full. */
  overflow: z.boolean().optional(),
  /** Estimated tokens that a request may have after the provider has refused one. */
  usable: z.number().optional(),
  /** What the summary is to dwell on, in the user's words. */
  focus: z.string().optional(),
  /** The newest message that the summary stands for, or that stood in the context when it was made: later ones stay. */
  through: messageID.optional(),
  /** The first message that stays word for word; absent where none does. */
  tail_start_id: messageID.optional(),
  /** Ids of earlier messages, or of single parts of them, that stay word for word as well. */
  keep: z.array(z.string()).optional(),
  /** Made while the agent worked on, and not in effect yet. */
  prepared: z.boolean().optional(),
  /** Model calls that compactions have made since the agent's last good answer, those of this one included. */
  calls: z.number().optional(),
  /** Good answers between the automatic compaction before this one and it; absent if it is the first of a request. */
  answers: z.number().optional(),
  /** The newest good answer when it took effect; absent if there was none. */
  answered: messageID.optional(),
})

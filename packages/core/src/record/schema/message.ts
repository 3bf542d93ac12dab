import { z } from "zod"
import { fileDiff, messageID, milliseconds, modelRef, sessionID, storedError, tokens } from "./fields.ts"

export const userMessage = z.object({
  id: messageID,
  sessionID,
  role: z.literal("user"),
  time: z.object({ created: milliseconds }),
  agent: z.string(),
  model: modelRef,
  /** Name of the model's variant. "default": the user chose no variant. */
  variant: z.string().optional(),
  system: z.string().optional(),
  tools: z.record(z.string(), z.boolean()).optional(),
  /** Delivery to a session with a running turn. Missing: the prompt was stored while no other one was running. */
  delivery: z
    .object({
      /** `steer`: at the next step; `queue`: after the turn; `interrupt`: at once, in place of the running step. */
      mode: z.enum(["steer", "queue", "interrupt"]),
      /** A waiting prompt is not part of the context. */
      state: z.enum(["waiting", "delivered"]),
      /** Set if the sender chose no agent: the prompt goes to the session's agent at the time of delivery. */
      agent: z.literal("session").optional(),
    })
    .optional(),
  /** Idempotency key of the sender: a second prompt with the same id is the same prompt. */
  clientID: z.string().optional(),
  summary: z.object({ title: z.string().optional(), body: z.string().optional(), diffs: z.array(fileDiff) }).optional(),
})

export const assistantMessage = z.object({
  id: messageID,
  sessionID,
  role: z.literal("assistant"),
  /** The user message it answers. */
  parentID: messageID,
  providerID: z.string(),
  modelID: z.string(),
  /** Variant of the model that the request was made with. */
  variant: z.string().optional(),
  agent: z.string(),
  mode: z.string(),
  path: z.object({ cwd: z.string(), root: z.string() }),
  /**
   * US dollars. With `tokens`, covers all requests for this message, including failed attempts and requests of its
   * tools.
   */
  cost: z.number(),
  tokens,
  /** Number of those requests. If missing: 1 if there are `tokens`, else 0. */
  requests: z.number().optional(),
  /** Estimated part of `tokens` and `cost`, for answers that broke off before they reported their usage. */
  estimated: z.object({ tokens: z.number(), cost: z.number() }).optional(),
  /** In a fork: the message that this is a copy of. That message has counted the usage. */
  copyOf: messageID.optional(),
  /** stop, length, content-filter, tool-calls, error or unknown. Missing while the step runs. */
  finish: z.string().optional(),
  error: storedError.optional(),
  summary: z.boolean().optional(),
  time: z.object({ created: milliseconds, completed: milliseconds.optional() }),
})

export const message = z.discriminatedUnion("role", [userMessage, assistantMessage])

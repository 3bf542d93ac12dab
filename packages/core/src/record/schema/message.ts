import { z } from "zod"
import { fileDiff, messageID, milliseconds, modelRef, sessionID, storedError, tokens } from "./fields.ts"

export const userMessage = z.object({
  id: messageID,
  sessionID,
  role: z.literal("user"),
  time: z.object({ created: milliseconds }),
  agent: z.string(),
  model: modelRef,
  /** Of the model, by name; "default": none, by choice. */
  variant: z.string().optional(),
  system: z.string().optional(),
  tools: z.record(z.string(), z.boolean()).optional(),
  /** How it comes to a session that is at work; absent: it was stored when nothing else was under way. */
  delivery: z
    .object({
      /** At the next step, after the turn, or at once in place of what is under way. */
      mode: z.enum(["steer", "queue", "interrupt"]),
      /** What waits is no part of the context. */
      state: z.enum(["waiting", "delivered"]),
      /** Nobody chose its agent: it goes to the one that the session has when it is delivered. */
      agent: z.literal("session").optional(),
    })
    .optional(),
  /** What the sender calls it: a second prompt of the same name is the same prompt. */
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
  /** Of the model, that the request was made with. */
  variant: z.string().optional(),
  agent: z.string(),
  mode: z.string(),
  path: z.object({ cwd: z.string(), root: z.string() }),
  /** US dollars. With `tokens`, of all requests that were made for it: failed attempts, and what its tools asked. */
  cost: z.number(),
  tokens,
  /** How many those were; absent: one where it has tokens. */
  requests: z.number().optional(),
  /** The part of it that was estimated, as answers broke off before they said what they took. */
  estimated: z.object({ tokens: z.number(), cost: z.number() }).optional(),
  /** In a fork: the message that this is a copy of, and that has paid for it. */
  copyOf: messageID.optional(),
  /** stop, length, content-filter, tool-calls, error, unknown; absent while the step runs. */
  finish: z.string().optional(),
  error: storedError.optional(),
  summary: z.boolean().optional(),
  time: z.object({ created: milliseconds, completed: milliseconds.optional() }),
})

export const message = z.discriminatedUnion("role", [userMessage, assistantMessage])

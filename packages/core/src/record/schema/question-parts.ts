import { z } from "zod"
import { json, milliseconds, owner, partID } from "./fields.ts"

export const choice = z.object({
  question: z.string(),
  /** At most 30 characters. */
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multiple: z.boolean().optional(),
  /** Whether an answer in the user's own words is taken too; true unless told. */
  custom: z.boolean().optional(),
})

export const answer = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("permission"),
    reply: z.enum(["once", "always", "reject"]),
    /** What the model is to do instead. */
    message: z.string().optional(),
  }),
  /** For each question what was chosen. */
  z.object({ type: z.literal("choice"), answers: z.array(z.array(z.string())) }),
  /** Nobody answered, or nobody needs it any more. */
  z.object({ type: z.literal("dismissed"), reason: z.string() }),
])

/** What a call asks people. It stays open over a restart; the call goes on once it is answered. */
export const questionPart = z.object({
  ...owner,
  type: z.literal("question"),
  callID: z.string(),
  about: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("permission"),
      permission: z.string(),
      patterns: z.array(z.string()),
      /** What an answer of `always` allows; empty: it cannot be given. */
      always: z.array(z.string()),
      /** Where it would be done, and an answer of `always` holds; absent: the patterns say all. */
      directory: z.string().optional(),
      metadata: json,
    }),
    z.object({ type: z.literal("choice"), questions: z.array(choice) }),
  ]),
  /** The one that counts; absent while it is open. */
  answer: answer.optional(),
  /** The part that the answer came in; absent where it was given to this process. */
  answerID: partID.optional(),
  time: z.object({ created: milliseconds, closed: milliseconds.optional() }),
})

/** An answer of another process. The owner of the session's lease takes the first that it reads. */
export const answerPart = z.object({
  ...owner,
  type: z.literal("answer"),
  questionID: partID,
  answer,
  time: z.object({ created: milliseconds }),
})

import { z } from "zod"
import { MAX_CHOSEN_PATTERN_LENGTH, MAX_CHOSEN_PATTERNS } from "../chosen-pattern-limits.ts"
import { json, milliseconds, owner, partID } from "./fields.ts"

export const choice = z.object({
  question: z.string(),
  /** At most 30 characters. */
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multiple: z.boolean().optional(),
  /** Allows an answer in the user's own words. Default: true. */
  custom: z.boolean().optional(),
})

const chosenPattern = z.string().min(1).max(MAX_CHOSEN_PATTERN_LENGTH)

export const answer = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("permission"),
    reply: z.enum(["once", "always", "reject"]),
    /** Patterns that an answer of `always` allows instead of the proposed ones. `*` and `?` are as in rules. */
    patterns: z.array(chosenPattern).min(1).max(MAX_CHOSEN_PATTERNS).optional(),
    /** Instruction for the model to follow instead. */
    message: z.string().optional(),
  }),
  /** The chosen labels of each question. */
  z.object({ type: z.literal("choice"), answers: z.array(z.array(z.string())) }),
  /** Set if the user did not answer, or the call no longer needs an answer. */
  z.object({ type: z.literal("dismissed"), reason: z.string() }),
])

/** A question of a call to the user. It stays open over a restart; the call continues once it is answered. */
export const questionPart = z.object({
  ...owner,
  type: z.literal("question"),
  callID: z.string(),
  about: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("permission"),
      permission: z.string(),
      patterns: z.array(z.string()),
      /** Patterns that an answer of `always` allows. Empty: `always` is not possible. */
      always: z.array(z.string()),
      /** Directory of the call, to which an answer of `always` is limited. Missing: the patterns are sufficient. */
      directory: z.string().optional(),
      metadata: json,
    }),
    z.object({ type: z.literal("choice"), questions: z.array(choice) }),
  ]),
  /** The accepted answer; missing while the question is open. */
  answer: answer.optional(),
  /** The part with the accepted answer; missing if this process received the answer directly. */
  answerID: partID.optional(),
  time: z.object({ created: milliseconds, closed: milliseconds.optional() }),
})

/** An answer from another process. The owner of the session's lease accepts the first that it reads. */
export const answerPart = z.object({
  ...owner,
  type: z.literal("answer"),
  questionID: partID,
  answer,
  time: z.object({ created: milliseconds }),
})

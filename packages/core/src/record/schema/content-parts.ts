import { z } from "zod"
import { json, milliseconds, modelRef, owner, sourceText } from "./fields.ts"

// Contents of messages of users and models: texts, files, and references to files and agents.

const span = z.object({ start: milliseconds, end: milliseconds.optional() })
const position = z.object({ line: z.number(), character: z.number() })

export const textPart = z.object({
  ...owner,
  type: z.literal("text"),
  text: z.string(),
  /** Written by the engine, not by the user or the model. */
  synthetic: z.boolean().optional(),
  /** Shown to the user, not to the model. */
  ignored: z.boolean().optional(),
  /** Bytes of the text that the model reads, if requests show less of it. The stored text stays complete. */
  shownBytes: z.number().optional(),
  time: span.optional(),
  metadata: json.optional(),
})

export const reasoningPart = z.object({
  ...owner,
  type: z.literal("reasoning"),
  text: z.string(),
  /** Data that the provider needs back with the text, such as a signature. */
  metadata: json.optional(),
  /** Bytes of the text that the model reads, if requests show less of it. The stored text stays complete. */
  shownBytes: z.number().optional(),
  time: span,
})

export const filePart = z.object({
  ...owner,
  type: z.literal("file"),
  mime: z.string(),
  filename: z.string().optional(),
  url: z.string(),
  source: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("file"), path: z.string(), text: sourceText }),
      z.object({
        type: z.literal("symbol"),
        path: z.string(),
        text: sourceText,
        range: z.object({ start: position, end: position }),
        name: z.string(),
        kind: z.number(),
      }),
      z.object({ type: z.literal("resource"), clientName: z.string(), uri: z.string(), text: sourceText }),
    ])
    .optional(),
  /** Set if a provider refused the file or would refuse it. The model reads the reason in its place. */
  rejected: z.object({ reason: z.string(), time: milliseconds }).optional(),
})

export const agentPart = z.object({
  ...owner,
  type: z.literal("agent"),
  name: z.string(),
  source: sourceText.optional(),
})

export const subtaskPart = z.object({
  ...owner,
  type: z.literal("subtask"),
  prompt: z.string(),
  description: z.string(),
  agent: z.string(),
  model: modelRef.optional(),
  command: z.string().optional(),
})

import { z } from "zod"

const model = z.object({ providerID: z.string(), modelID: z.string() })
const source = z.object({ value: z.string(), start: z.number(), end: z.number() })

const textPart = z.object({
  type: z.literal("text"),
  text: z.string(),
  synthetic: z.boolean().optional(),
  ignored: z.boolean().optional(),
})
export const filePart = z.object({
  type: z.literal("file"),
  mime: z.string(),
  filename: z.string().optional(),
  url: z.string(),
})
const agentPart = z.object({ type: z.literal("agent"), name: z.string(), source: source.optional() })
const subtaskPart = z.object({
  type: z.literal("subtask"),
  prompt: z.string(),
  description: z.string(),
  agent: z.string(),
  model: model.optional(),
  command: z.string().optional(),
})

/** pawl's own: when a session that works reads the prompt. */
export const delivery = z.enum(["steer", "queue", "interrupt"]).nullish()

/** A prompt from OpenCode's clients. Missing fields may be null, as after parsing JSON. */
export const promptBody = z.object({
  /** Id for the message, if it is the newest one. A second prompt with the same id is ignored. */
  messageID: z.templateLiteral(["msg", z.string()]).nullish(),
  model: model.nullish(),
  agent: z.string().nullish(),
  variant: z.string().nullish(),
  noReply: z.boolean().nullish(),
  tools: z.record(z.string(), z.boolean()).nullish(),
  format: z.looseObject({ type: z.string() }).nullish(),
  system: z.string().nullish(),
  delivery,
  parts: z.array(z.discriminatedUnion("type", [textPart, filePart, agentPart, subtaskPart])),
})

export type PromptBody = z.infer<typeof promptBody>
export type FileInput = z.infer<typeof filePart>

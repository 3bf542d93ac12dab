import type { JSONObject } from "@pawl/core/tool"
import { z } from "zod"
import { jsonSize } from "./json-size.ts"

/** A tool as its server offers it. */
export type ListedTool = z.infer<typeof listedTool>
export type ListedPrompt = z.infer<typeof listedPrompt>
export type ListedResource = z.infer<typeof listedResource>
export type ListedTemplate = z.infer<typeof listedTemplate>

/** What is known of a server without asking it again. */
export type Listing = z.infer<typeof listing>

const text = z.string().optional().catch(undefined)
const json = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JSONObject>

const hints = z.object({
  title: text,
  readOnlyHint: z.boolean().optional().catch(undefined),
  destructiveHint: z.boolean().optional().catch(undefined),
  idempotentHint: z.boolean().optional().catch(undefined),
  openWorldHint: z.boolean().optional().catch(undefined),
})

export const listedTool = z.object({
  name: z.string().min(1),
  title: text,
  description: text,
  /** Whatever stands there: what is offered to models is made of it. */
  inputSchema: z.unknown().optional(),
  outputSchema: json.optional().catch(undefined),
  annotations: hints.optional().catch(undefined),
  execution: z.object({ taskSupport: text }).optional().catch(undefined),
})

export const listedPrompt = z.object({
  name: z.string().min(1),
  title: text,
  description: text,
  arguments: z
    .array(z.object({ name: z.string(), description: text, required: z.boolean().optional() }))
    .optional()
    .catch(undefined),
})

export const listedResource = z.object({
  uri: z.string(),
  name: z.string().catch(""),
  title: text,
  description: text,
  mimeType: text,
})

export const listedTemplate = listedResource.omit({ uri: true }).extend({ uriTemplate: z.string() })

export const listing = z.object({
  tools: z.array(listedTool),
  prompts: z.array(listedPrompt),
  instructions: text,
  hasResources: z.boolean(),
})

/** Characters of one item of a list, and of all. */
const MOST_OF_ONE = 256 * 1024
const MOST = 16 * 1024 * 1024

/** Those of the given that can be read and have room; the others are passed over. */
export function readable<T>(schema: z.ZodType<T>, given: readonly unknown[]): T[] {
  let room = MOST
  return given.flatMap((item) => {
    const size = jsonSize(item, Math.min(MOST_OF_ONE, room))
    const read = size === undefined ? undefined : schema.safeParse(item)
    if (size === undefined || !read?.success) return []
    room -= size
    return [read.data]
  })
}

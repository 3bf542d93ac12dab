import type { JSONObject } from "@pawl/core/tool"
import { z } from "zod"
import { jsonSize } from "./json-size.ts"

/** A tool as its server defines it. */
export type ListedTool = z.infer<typeof listedTool>
export type ListedPrompt = z.infer<typeof listedPrompt>
export type ListedResource = z.infer<typeof listedResource>
export type ListedTemplate = z.infer<typeof listedTemplate>

/** The known tools, prompts and resources of a server. */
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
  /** Any value. `inputSchema()` makes a valid schema for models. */
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

/** Maximum number of characters of one item, and of a whole list. */
const MAX_ITEM_LENGTH = 256 * 1024
const MAX_LIST_LENGTH = 16 * 1024 * 1024

/** Returns the valid items that fit into the limits. Ignores others. */
export function readable<T>(schema: z.ZodType<T>, items: readonly unknown[]): T[] {
  let room = MAX_LIST_LENGTH
  return items.flatMap((item) => {
    const size = jsonSize(item, Math.min(MAX_ITEM_LENGTH, room))
    const read = size === undefined ? undefined : schema.safeParse(item)
    if (size === undefined || !read?.success) return []
    room -= size
    return [read.data]
  })
}

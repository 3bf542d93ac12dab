import type { OfferedTool } from "@pawl/core/plugin"
import type { Effect, JSONObject, PermissionNeed, ToolContext, ToolLocation, ToolResult } from "@pawl/core/tool"
import { ToolInputError } from "@pawl/core/tool"
import { z } from "zod"

type Shape = Readonly<Record<string, z.ZodType>>
type Arguments<S extends Shape> = z.output<z.ZodObject<S>>

export interface ToolDefinition<S extends Shape> {
  /** For the model: what the tool does and when to use it. */
  readonly description: string
  /** zod schemas by argument name. `.describe()` describes an argument for the model. */
  readonly args: S
  /** Effect of repeating a call. Default: `unsafe`, so calls are never repeated automatically. */
  readonly effect?: Effect
  /** Milliseconds without progress after which a call ends. Default: the limit of all tools. 0: no limit. */
  readonly deadline?: number
  /** The part of a long output that the model sees. Default: the head. */
  readonly keep?: "head" | "tail"
  /** Allows moving the tool behind the search tool if definitions take too much of the context. */
  readonly deferrable?: boolean
  /** Returns the permissions that a call needs. Default: the tool's name with the pattern `*`. */
  permissions?(args: Arguments<S>, place: ToolLocation): Promise<readonly PermissionNeed[]> | readonly PermissionNeed[]
  /** Returns a result, or a text as its output. A thrown error becomes the call's error, which the model reads. */
  execute(args: Arguments<S>, context: ToolContext): Promise<ToolResult | string> | ToolResult | string
}

/**
 * Creates a tool for a plugin's `tool` table. Arguments are validated first, with an error from which the model can
 * correct the call; `execute` gets the parsed arguments. Throws TypeError if the schemas cannot be described to models.
 */
export function tool<S extends Shape>(definition: ToolDefinition<S>): OfferedTool {
  const { description, args, effect = "unsafe", deadline, keep, deferrable } = definition
  const schema = z.strictObject(args)
  const offered: Omit<OfferedTool, "parse" | "permissions" | "execute"> & Parsing<Arguments<S>> = {
    ...{ description, effect, inputSchema: toJSONSchema(schema) },
    ...(deadline === undefined ? {} : { deadline }),
    ...(keep === undefined ? {} : { keep }),
    ...(deferrable === undefined ? {} : { deferrable }),
    parse(input) {
      const result = schema.safeParse(input)
      if (result.success) return result.data
      throw new ToolInputError(
        `The arguments are not valid:\n${z.prettifyError(result.error)}\nCorrect them and call again.`,
      )
    },
    ...(definition.permissions ? { permissions: (input, place) => definition.permissions?.(input, place) ?? [] } : {}),
    async execute(input, context) {
      const result = await definition.execute(input, context)
      return typeof result === "string" ? { title: "", output: result } : result
    },
  }
  return offered
}

interface Parsing<Input> {
  parse(input: unknown): Input
  permissions?(input: Input, place: ToolLocation): Promise<readonly PermissionNeed[]> | readonly PermissionNeed[]
  execute(input: Input, context: ToolContext): Promise<ToolResult>
}

function toJSONSchema(schema: z.ZodType): JSONObject {
  try {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" })
    return rest as JSONObject
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(`"args" cannot be told to a model: ${reason}. Take a schema that JSON Schema has, too.`, {
      cause,
    })
  }
}

import type { OfferedTool } from "@pawl/core/plugin"
import type { Effect, JSONObject, PermissionNeed, ToolContext, ToolPlace, ToolResult } from "@pawl/core/tool"
import { ToolInputError } from "@pawl/core/tool"
import { z } from "zod"

type Shape = Readonly<Record<string, z.ZodType>>
type Arguments<S extends Shape> = z.output<z.ZodObject<S>>

export interface ToolDefinition<S extends Shape> {
  /** What it does and when to take it, for the model. */
  readonly description: string
  /** Schemas of zod by the arguments' names; `.describe()` tells the model what an argument is. */
  readonly args: S
  /** What repeating a call would do; absent: `unsafe`, so that no call is ever repeated by itself. */
  readonly effect?: Effect
  /** Milliseconds without progress after which a call ends; absent: as all tools, 0: never. */
  readonly deadline?: number
  /** Which end of a long output the model sees; absent: the head. */
  readonly keep?: "head" | "tail"
  /** May stand behind the search tool where definitions take too much of the context. */
  readonly deferrable?: boolean
  /** What has to be allowed before the call runs; absent: the tool's name, with the pattern `*`. */
  permissions?(args: Arguments<S>, place: ToolPlace): Promise<readonly PermissionNeed[]> | readonly PermissionNeed[]
  /** A text is the output. What is thrown becomes the call's error, which the model reads. */
  execute(args: Arguments<S>, context: ToolContext): Promise<ToolResult | string> | ToolResult | string
}

/**
 * A tool for a plugin's `tool` table. Arguments are checked by their schemas before anything else sees them, with an
 * error that lets the model correct itself; `execute` gets what the schemas made of them. Throws TypeError for schemas
 * that no model can be told of.
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
  permissions?(input: Input, place: ToolPlace): Promise<readonly PermissionNeed[]> | readonly PermissionNeed[]
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

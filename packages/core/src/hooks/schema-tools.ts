import { messageOf, ToolInputError } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import type { OfferedTool } from "../contracts/offered-tools.ts"
import type { PermissionNeed, ToolContext, ToolResult } from "../contracts/tool.ts"

/** A schema of any copy of zod 4. */
interface Schema {
  readonly description?: string
  safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown; readonly error?: unknown }
}

type Shape = Readonly<Record<string, Schema>>

/** A tool that describes its arguments with schemas, as other kits define them. */
interface SchemaTool {
  readonly description: unknown
  readonly args: Shape
  execute(args: unknown, context: object): unknown
}

/**
 * Returns the table with each tool that has `args`, zod schemas by name, converted to a tool that can be offered.
 * `execute` gets the parsed arguments, and may return just a text. Other values stay unchanged. Never throws:
 * unreadable values are left to later readers.
 */
export async function withSchemaTools(table: unknown): Promise<unknown> {
  if (typeof table !== "object" || table === null || Array.isArray(table)) return table
  try {
    const written = Object.entries(table).filter((entry): entry is [string, SchemaTool] => isSchemaTool(entry[1]))
    if (written.length === 0) return table
    const { z } = await import("zod")
    const toSchema = (shape: Shape) => z.toJSONSchema(z.object(shape as never), HOW) as JSONObject
    return { ...table, ...Object.fromEntries(written.map(([name, tool]) => [name, offered(tool, toSchema)])) }
  } catch {
    return table
  }
}

const HOW = { io: "input", unrepresentable: "any" } as const

function isSchemaTool(tool: unknown): tool is SchemaTool {
  if (typeof tool !== "object" || tool === null || "parse" in tool || "inputSchema" in tool) return false
  const { args, execute } = tool as { readonly [key: string]: unknown }
  return (
    typeof execute === "function" && typeof args === "object" && args !== null && Object.values(args).every(isSchema)
  )
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "_zod" in value && "safeParse" in value
}

function offered(tool: SchemaTool, toSchema: (shape: Shape) => JSONObject): OfferedTool {
  const { description, args } = tool
  return {
    description: description as string,
    effect: "unsafe",
    // A schema without JSON form is a problem of this tool only, and is reported when the tool is read.
    get inputSchema() {
      const { $schema: _, ...schema } = toSchema(args)
      const properties = described((schema["properties"] ?? {}) as JSONObject, args)
      return { ...schema, properties, additionalProperties: false }
    },
    parse: (input) => checked(input, args),
    async execute(input, context): Promise<ToolResult> {
      const value = await tool.execute(input, contextOf(context))
      return typeof value === "string" ? { title: "", output: value } : (value as ToolResult)
    },
  }
}

/** Copies descriptions, because another copy of zod keeps them where this copy does not look. */
function described(properties: JSONObject, shape: Shape): JSONObject {
  return Object.fromEntries<JSONObject[string]>(
    Object.entries(properties).map(([name, property]) => {
      const description = shape[name]?.description
      return [name, description === undefined ? property : { description, ...(property as JSONObject) }]
    }),
  )
}

function checked(input: unknown, shape: Shape): JSONObject {
  const value = (typeof input === "object" && input !== null ? input : {}) as Readonly<Record<string, unknown>>
  const results = Object.entries(shape).map(([name, schema]) => [name, schema.safeParse(value[name])] as const)
  const wrong = results.flatMap(([name, { success, error }]) => (success ? [] : [`${name}: ${wordsOf(error)}`]))
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
  const problems = [...wrong, ...unknown.map((name) => `${name}: there is no such argument`)]
  if (problems.length > 0) {
    throw new ToolInputError(`The arguments are not valid: ${problems.join("; ")}.\nCorrect them and call again.`)
  }
  return Object.fromEntries(results.flatMap(([name, { data }]) => (data === undefined ? [] : [[name, data]]))) as never
}

function wordsOf(error: unknown): string {
  const { issues = [] } = error as { readonly issues?: readonly { readonly message: string }[] }
  return issues.length > 0 ? issues.map(({ message }) => message).join(", ") : messageOf(error)
}

interface Need extends Omit<PermissionNeed, "patterns"> {
  readonly patterns?: readonly string[]
}

/** Returns the context, with the additional names that authors of such tools know. */
function contextOf(context: ToolContext): object {
  return {
    ...context,
    abort: context.signal,
    metadata: (update: Parameters<ToolContext["progress"]>[0]) => context.progress(update),
    ask: ({ patterns = ["*"], ...need }: Need) => context.authorize({ ...need, patterns }),
  }
}

import { messageOf, ToolInputError } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import type { OfferedTool } from "../contracts/offered-tools.ts"
import type { PermissionNeed, ToolContext, ToolResult } from "../contracts/tool.ts"

/** A schema of zod 4, of whatever copy. */
interface Schema {
  readonly description?: string
  safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown; readonly error?: unknown }
}

type Shape = Readonly<Record<string, Schema>>

/** A tool that says what its arguments are by schemas of theirs, as other kits make them. */
interface SchemaTool {
  readonly description: unknown
  readonly args: Shape
  execute(args: unknown, context: object): unknown
}

/**
 * The table with each tool that is written with `args`, schemas of zod by name, as one that can be offered. `execute`
 * gets what the schemas made of the arguments, and a text is enough as its result. What is anything else stays what it
 * is. Never throws: what cannot be read now is left to those who read it later.
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
    // What cannot be told to a model is a problem of this tool alone, told where it is read.
    get inputSchema() {
      const { $schema: _, ...schema } = toSchema(args)
      const properties = described((schema["properties"] ?? {}) as JSONObject, args)
      return { ...schema, properties, additionalProperties: false }
    },
    parse: (input) => checked(input, args),
    async execute(input, context): Promise<ToolResult> {
      const given = await tool.execute(input, contextOf(context))
      return typeof given === "string" ? { title: "", output: given } : (given as ToolResult)
    },
  }
}

/** Another copy of zod keeps its descriptions where this one does not look. */
function described(properties: JSONObject, shape: Shape): JSONObject {
  return Object.fromEntries<JSONObject[string]>(
    Object.entries(properties).map(([name, property]) => {
      const description = shape[name]?.description
      return [name, description === undefined ? property : { description, ...(property as JSONObject) }]
    }),
  )
}

function checked(input: unknown, shape: Shape): JSONObject {
  const given = (typeof input === "object" && input !== null ? input : {}) as Readonly<Record<string, unknown>>
  const results = Object.entries(shape).map(([name, schema]) => [name, schema.safeParse(given[name])] as const)
  const wrong = results.flatMap(([name, { success, error }]) => (success ? [] : [`${name}: ${wordsOf(error)}`]))
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape, name))
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

/** With the names besides that authors of such tools know. */
function contextOf(context: ToolContext): object {
  return {
    ...context,
    abort: context.signal,
    metadata: (update: Parameters<ToolContext["progress"]>[0]) => context.progress(update),
    ask: ({ patterns = ["*"], ...need }: Need) => context.authorize({ ...need, patterns }),
  }
}

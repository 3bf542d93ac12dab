import type { JSONObject } from "@pawl/core/tool"
import { ToolInputError } from "@pawl/core/tool"
import type * as Zod from "zod"
import { zodShim } from "./shims.ts"

/** The two forms of a tool's arguments. */
export interface InputSchema {
  readonly inputSchema: JSONObject
  /** Throws ToolInputError that names each argument that does not fit. */
  parse(input: unknown): Record<string, unknown>
}

/** An invalid tool definition. The message is a sentence for the tool's author. */
export class DefinitionError extends Error {
  override readonly name = "DefinitionError"
}

/**
 * Reads the schema from `args`, zod schemas or JSON Schemas by argument name, or from `parameters`, a JSON Schema for all
 * arguments. Throws DefinitionError.
 */
export async function toInputSchema(tool: string, { args, parameters }: Record<string, unknown>): Promise<InputSchema> {
  if (args === undefined && isRecord(parameters)) return jsonInput(tool, parameters)
  if (!isRecord(args ?? {})) throw new DefinitionError('"args" is not an object of schemas by argument name.')
  const entries = Object.entries((args ?? {}) as Record<string, unknown>)
  if (entries.length > 0 && entries.every(([, value]) => isZod(value))) return await zodInput(tool, args as ZodShape)
  for (const [name, value] of entries) {
    if (isOldZod(value)) {
      throw new DefinitionError(`The argument "${name}" is a schema of zod 3. Use zod 4, or import from "zod/v4".`)
    }
    if (!isRecord(value) || isZod(value)) {
      throw new DefinitionError(
        `The argument "${name}" is neither a schema of zod, as all must be then, nor JSON Schema.`,
      )
    }
  }
  return jsonInput(tool, {
    ...{ type: "object", properties: Object.fromEntries(entries), required: entries.map(([name]) => name) },
    additionalProperties: false,
  })
}

type ZodShape = Readonly<Record<string, Zod.ZodType>>

async function zodInput(tool: string, args: ZodShape): Promise<InputSchema> {
  const z = (await import(/* @vite-ignore */ zodShim)) as typeof Zod
  const schema = z.object(args)
  let inputSchema: JSONObject
  try {
    // Of what has no JSON Schema, such as a date, the model is told nothing; the author's schema judges it.
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })
    inputSchema = JSON.parse(JSON.stringify(rest)) as JSONObject
  } catch (error) {
    throw new DefinitionError(`Its "args" cannot be told to a model: ${String(error)}`)
  }
  return {
    inputSchema,
    parse(input) {
      const result = schema.safeParse(input)
      if (result.success) return result.data
      throw invalid(
        tool,
        result.error.issues.map(({ path, message }) => [...path.map(String), message].join(": ")),
      )
    },
  }
}

/** Checks what is there and its types: the schema is the author's, and the tool's own code knows the rest. */
function jsonInput(tool: string, schema: Record<string, unknown>): InputSchema {
  let inputSchema: JSONObject
  try {
    inputSchema = JSON.parse(JSON.stringify({ type: "object", properties: {}, ...schema })) as JSONObject
  } catch (error) {
    throw new DefinitionError(`Its JSON Schema cannot be written as JSON: ${String(error)}`)
  }
  if (inputSchema["type"] !== "object") throw new DefinitionError('Its JSON Schema must have the type "object".')
  const properties = isRecord(inputSchema["properties"]) ? inputSchema["properties"] : {}
  const required = Array.isArray(inputSchema["required"]) ? inputSchema["required"].map(String) : []
  return {
    inputSchema,
    parse(input) {
      if (!isRecord(input)) throw invalid(tool, ["the arguments must be an object"])
      const missing = required.filter((name) => input[name] === undefined).map((name) => `${name}: is missing`)
      const wrong = Object.entries(input).flatMap(([name, value]) => {
        const problem = typeProblem(properties[name], value)
        return problem === undefined ? [] : [`${name}: ${problem}`]
      })
      if (missing.length + wrong.length > 0) throw invalid(tool, [...missing, ...wrong])
      return input
    },
  }
}

function typeProblem(schema: unknown, value: unknown): string | undefined {
  if (!isRecord(schema)) return undefined
  const { type, enum: choices } = schema
  const types = [type].flat().filter((each) => typeof each === "string")
  const actual = jsonTypes(value)
  if (types.length > 0 && !types.some((each) => actual.includes(each))) {
    return `must be ${types.join(" or ")}, got ${actual[0]}`
  }
  if (Array.isArray(choices) && !choices.includes(value)) return `must be one of ${JSON.stringify(choices)}`
  return undefined
}

function jsonTypes(value: unknown): string[] {
  if (value === null) return ["null"]
  if (Array.isArray(value)) return ["array"]
  return typeof value === "number" && Number.isInteger(value) ? ["number", "integer"] : [typeof value]
}

function invalid(tool: string, details: readonly string[]): ToolInputError {
  return new ToolInputError(
    `The ${tool} tool was called with invalid arguments: ${details.join("; ")}.\n` +
      "Please rewrite the input so it satisfies the expected schema.",
  )
}

function isZod(value: unknown): boolean {
  return isRecord(value) && isRecord(value["_zod"])
}

function isOldZod(value: unknown): boolean {
  return isRecord(value) && isRecord(value["_def"]) && !isZod(value)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

import type { JSONObject } from "@pawl/core/tool"
import { z } from "zod"

export interface ToolArguments {
  readonly inputSchema: JSONObject
  /** What is wrong with arguments; undefined where they fit. */
  problem(input: unknown): string | undefined
}

type Shape = Readonly<Record<string, unknown>>

/**
 * The arguments of a tool, as schemas by name: those of zod, of whatever copy, are checked; plain JSON schemas are passed
 * on to the model, all of them required, and not checked.
 */
export function readArguments(args: unknown): ToolArguments {
  const shape = shapeOf(args)
  const names = Object.keys(shape)
  const checked = Object.entries(shape).filter((entry): entry is [string, Checking] => isChecking(entry[1]))
  const modern = Object.fromEntries(checked.filter((entry): entry is [string, Modern] => isModern(entry[1])))
  const schema = objectSchema(modern)
  const described = describedProperties(schema["properties"] as JSONObject | undefined, shape)
  const others = names.filter((name) => !(name in modern))
  const required = names.filter((name) => !isOptional(shape[name]))
  return {
    inputSchema: {
      ...schema,
      type: "object",
      properties: { ...described, ...Object.fromEntries(others.map((name) => [name, plainSchema(shape[name])])) },
      required,
      additionalProperties: false,
    },
    problem: (input) => problemOf(input, checked),
  }
}

const HOW = { io: "input", unrepresentable: "any" } as const

/** Where all of them together cannot be told, each for itself, and of one that cannot be told then only its name. */
function objectSchema(shape: Readonly<Record<string, Modern>>): JSONObject {
  try {
    return z.toJSONSchema(z.object(shape), HOW) as JSONObject
  } catch {
    const properties = Object.entries(shape).map(([name, schema]) => [name, ownSchema(schema)] as const)
    return { properties: Object.fromEntries(properties) }
  }
}

/** Some say themselves what they are in JSON Schema. */
function ownSchema(schema: Modern): JSONObject {
  try {
    const { $schema: _, ...told } = (schema._zod.toJSONSchema?.() ?? z.toJSONSchema(schema, HOW)) as JSONObject
    return told
  } catch {
    return {}
  }
}

interface Checking {
  readonly description?: string
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown }
}
type Modern = z.ZodType

/** Some give the object in place of what it is made of. */
function shapeOf(args: unknown): Shape {
  if (typeof args !== "object" || args === null) return {}
  return isModern(args) && "shape" in args ? (args.shape as Shape) : (args as Shape)
}

function isChecking(schema: unknown): schema is Checking {
  return (
    typeof schema === "object" && schema !== null && "safeParse" in schema && typeof schema.safeParse === "function"
  )
}

function isModern(schema: unknown): schema is Modern {
  return typeof schema === "object" && schema !== null && "_zod" in schema
}

function isOptional(schema: unknown): boolean {
  if (!isChecking(schema)) return false
  try {
    return schema.safeParse(undefined).success
  } catch {
    return false
  }
}

/** Another copy of zod keeps its descriptions where this one does not look. */
function describedProperties(properties: JSONObject = {}, shape: Shape): JSONObject {
  return Object.fromEntries<JSONObject[string]>(
    Object.entries(properties).map(([name, property]) => {
      const { description } = shape[name] as Checking
      const isMissing = typeof property === "object" && property !== null && !("description" in property)
      return [name, isMissing && description !== undefined ? { ...(property as JSONObject), description } : property]
    }),
  )
}

function plainSchema(schema: unknown): JSONObject {
  if (!isChecking(schema)) return typeof schema === "object" && schema !== null ? (schema as JSONObject) : {}
  return schema.description === undefined ? {} : { description: schema.description }
}

function problemOf(input: unknown, checked: readonly (readonly [string, Checking])[]): string | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "it wants an object."
  const given = input as Shape
  const problems = checked.flatMap(([name, schema]) => {
    const issue = issueOf(schema, given[name])
    return issue === undefined ? [] : [`${name}: ${issue}`]
  })
  return problems.length === 0 ? undefined : `${problems.join("; ")}.`
}

function issueOf(schema: Checking, value: unknown): string | undefined {
  try {
    const { success, error } = schema.safeParse(value)
    return success ? undefined : wordsOf(error)
  } catch {
    // Checks that take their time cannot be waited for here.
    return undefined
  }
}

function wordsOf(error: unknown): string {
  const issues = (
    error as { readonly issues?: readonly { readonly message: string; readonly path: readonly unknown[] }[] }
  ).issues
  return (issues ?? [])
    .map(({ message, path }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message))
    .join(", ")
}

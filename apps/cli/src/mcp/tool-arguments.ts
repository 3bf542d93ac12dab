import type { ListedTool } from "@pawl/plugin-mcp"
import { suggestion } from "@pawl/config/suggestion"
import { UsageError } from "../arguments/usage-error.ts"

interface Property {
  readonly type?: unknown
  readonly enum?: readonly unknown[]
}

interface InputSchema {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

/**
 * Parses the arguments: one JSON object, or `key=value`, where the tool's schema decides if a value is a string or
 * JSON. Throws UsageError for arguments that cannot fit the schema. The server validates everything else.
 */
export function toolArguments(
  { name, inputSchema }: Pick<ListedTool, "name" | "inputSchema">,
  words: readonly string[],
): object {
  const schema = (typeof inputSchema === "object" && inputSchema !== null ? inputSchema : {}) as InputSchema
  const isJSON = words.length === 1 && words[0]?.trimStart().startsWith("{")
  const args = isJSON ? objectOf(words[0] ?? "") : Object.fromEntries(words.map((word) => pairOf(word, schema)))
  const { properties = {}, required = [] } = schema
  const missing = required.filter((key) => !Object.hasOwn(args, key))
  if (missing.length > 0) throw new UsageError(`${name} needs ${missing.join(" and ")}.`, usage(name, schema))
  const known = Object.keys(properties)
  const unknown = Object.keys(args).find((key) => !known.includes(key))
  if (unknown !== undefined && schema.additionalProperties === false) {
    const meant = suggestion(unknown, known)
    throw new UsageError(
      `${name} takes no "${unknown}".${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
      usage(name, schema),
    )
  }
  return args
}

function usage(name: string, { properties = {}, required = [] }: InputSchema): string {
  const keys = Object.entries(properties).map(([key, { type }]) => {
    const written = `${key}=<${typeof type === "string" ? type : "value"}>`
    return required.includes(key) ? written : `[${written}]`
  })
  return `It takes: ${[name, ...keys].join(" ")}`
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw new UsageError(`The arguments are no JSON: ${(error as Error).message}`, "See: pawl mcp call --help")
  }
}

function pairOf(word: string, { properties = {} }: InputSchema): [string, unknown] {
  const at = word.indexOf("=")
  if (at <= 0) throw new UsageError(`"${word}" is not of the form key=value.`, "See: pawl mcp call --help")
  const [key, text] = [word.slice(0, at), word.slice(at + 1)]
  const types = [properties[key]?.type].flat()
  if (types.includes("string") || types[0] === undefined) return [key, types[0] === undefined ? loose(text) : text]
  try {
    return [key, JSON.parse(text)]
  } catch {
    throw new UsageError(
      `${key} is to be ${types.join(" or ")}, as JSON, and "${text}" is not.`,
      "See: pawl mcp call --help",
    )
  }
}

/** Parses a value of unknown type. */
function loose(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

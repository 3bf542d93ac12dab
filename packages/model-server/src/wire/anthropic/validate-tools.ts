import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, isFilled, unknownKey, validateParameters, type Problem } from "../problem.ts"

const toolName = /^[a-zA-Z0-9_-]{1,128}$/
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/

const keys: ReadonlySet<string> = new Set([
  ...["type", "name", "description", "input_schema", "cache_control", "strict", "eager_input_streaming"],
  ...["defer_loading", "allowed_callers", "input_examples"],
])

/** Returns true if the name is valid for a tool. */
export function isToolName(name: unknown): name is string {
  return typeof name === "string" && toolName.test(name)
}

/** Returns the first problem in the list of tools. Skips the API's built-in tools. */
export function validateAnthropicTools(tools: unknown): Problem {
  if (isAbsent(tools)) return undefined
  if (!Array.isArray(tools)) return "tools: must be an array."
  const names = new Set<unknown>()
  return firstProblem(tools, (tool: unknown, index) => {
    const place = `tools[${index}]`
    if (!isObject(tool)) return `${place}: must be an object.`
    const isOwn = isFilled(tool.type) && tool.type !== "custom"
    const problem = isOwn ? undefined : validateTool(tool, place)
    if (problem !== undefined) return problem
    if (!isAbsent(tool.name) && names.has(tool.name)) return `${place}.name: tool names must be unique.`
    names.add(tool.name)
    return undefined
  })
}

function validateTool(tool: Record<string, unknown>, place: string): Problem {
  const { name, description, input_schema: schema } = tool
  if (!isToolName(name)) return `${place}.name: ${show(name)} does not match ${toolName.source}.`
  if (!isAbsent(description) && typeof description !== "string") return `${place}.description: must be a string.`
  return (
    unknownKey(tool, keys, place) ??
    validateParameters(schema, `${place}.input_schema`) ??
    validateSchema(schema as Record<string, unknown>, `${place}.input_schema`)
  )
}

function validateSchema(schema: Record<string, unknown>, place: string): Problem {
  const choice = ["oneOf", "allOf", "anyOf"].find((key) => key in schema)
  if (choice !== undefined) return `${place}: does not support "${choice}" at the top level.`
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const wrong = names.find((name) => !propertyName.test(name))
  if (wrong === undefined) return undefined
  return `${place}.properties: the key ${show(wrong)} does not match ${propertyName.source}.`
}

/** Returns the first problem in `tool_choice`. Requires valid tools. */
export function validateAnthropicToolChoice(choice: unknown, tools: unknown): Problem {
  if (isAbsent(choice)) return undefined
  if (!isObject(choice)) return `tool_choice: must be an object, {type}, got ${show(choice)}.`
  if (!Array.isArray(tools) || tools.length === 0) return "tool_choice: may only be given together with tools."
  const { type, name, disable_parallel_tool_use: disabled } = choice
  if (!isAbsent(disabled) && typeof disabled !== "boolean") {
    return "tool_choice.disable_parallel_tool_use: must be a boolean."
  }
  if (type === "auto" || type === "any" || type === "none") return undefined
  if (type !== "tool") return `tool_choice.type: ${show(type)} is not one of auto, any, tool, none.`
  const known = tools.some((tool: { name: unknown }) => tool.name === name)
  return known ? undefined : `tool_choice.name: there is no tool ${show(name)} in tools.`
}

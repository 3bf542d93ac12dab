import { isObject, show } from "../../json-object.ts"
import { isFunctionName } from "../chat/validate-tools.ts"
import { firstProblem, isAbsent, isFilled, validateParameters, type Problem } from "../problem.ts"
import { validateStrictSchema } from "./validate-strict-schema.ts"

const mostTools = 128

/** Returns the first problem in the list of tools. Skips the API's built-in tools. */
export function validateResponsesTools(tools: unknown): Problem {
  if (isAbsent(tools)) return undefined
  if (!Array.isArray(tools)) return "tools: must be an array."
  if (tools.length > mostTools) return `tools: ${tools.length} are too many, the limit is ${mostTools}.`
  const names = new Set<string>()
  return firstProblem(tools, (tool: unknown, index) => {
    const place = `tools[${index}]`
    if (!isObject(tool) || !isFilled(tool.type)) return `${place}.type: must be a string.`
    if (tool.type !== "function") return undefined
    const { name } = tool
    if (isAbsent(name)) return `${place}.name: this key is required, beside "type".`
    if (!isFunctionName(name)) return `${place}.name: ${show(name)} is not a valid function name.`
    if (names.has(name)) return `${place}.name: ${show(name)} is the name of an earlier tool too.`
    names.add(name)
    return validateFunction(tool, place)
  })
}

function validateFunction({ description, parameters, strict }: Record<string, unknown>, place: string): Problem {
  if (!isAbsent(description) && typeof description !== "string") return `${place}.description: must be a string.`
  if (!isAbsent(strict) && typeof strict !== "boolean") return `${place}.strict: must be a boolean.`
  if (isAbsent(parameters)) return undefined
  return (
    validateParameters(parameters, `${place}.parameters`) ??
    (strict === true ? validateStrictSchema(parameters, `${place}.parameters`) : undefined)
  )
}

/** Returns the first problem in `tool_choice`. Requires valid tools. */
export function validateResponsesToolChoice(choice: unknown, tools: unknown): Problem {
  if (isAbsent(choice) || choice === "none" || choice === "auto") return undefined
  const known = Array.isArray(tools) ? (tools as Record<string, unknown>[]) : []
  if (choice === "required") {
    return known.length > 0 ? undefined : 'tool_choice: "required" needs tools to choose from.'
  }
  if (!isObject(choice)) return `tool_choice: ${show(choice)} is not one of none, auto, required and {type, …}.`
  if (choice.type !== "function") {
    return isFilled(choice.type) ? undefined : `tool_choice.type: must be a string, got ${show(choice.type)}.`
  }
  const isKnown = known.some((tool) => tool.type === "function" && tool.name === choice.name)
  return isKnown ? undefined : `tool_choice: there is no function ${show(choice.name)} in tools.`
}

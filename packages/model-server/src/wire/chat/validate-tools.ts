import { isObject, show } from "../../json-object.ts"

const mostTools = 128
const functionName = /^[a-zA-Z0-9_-]{1,64}$/

/** Returns true if the name is valid for a function. */
export function isFunctionName(name: unknown): name is string {
  return typeof name === "string" && functionName.test(name)
}

/** Returns the first problem in the list of tools. */
export function validateTools(tools: unknown): string | undefined {
  if (tools === undefined || tools === null) return undefined
  if (!Array.isArray(tools) || tools.length === 0) return "tools: must be an array with at least one tool, or left out."
  if (tools.length > mostTools) return `tools: ${tools.length} are too many, the limit is ${mostTools}.`
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const place = `tools[${index}]`
    if (!isObject(tool) || tool.type !== "function") return `${place}.type: must be "function".`
    if (!isObject(tool.function)) return `${place}.function: must be an object.`
    const { name, description, parameters } = tool.function
    if (!isFunctionName(name)) return `${place}.function.name: ${show(name)} does not match ${functionName.source}.`
    if (names.has(name)) return `${place}.function.name: ${show(name)} is the name of an earlier tool too.`
    names.add(name)
    if (description !== undefined && typeof description !== "string") {
      return `${place}.function.description: must be a string, got ${show(description)}.`
    }
    if (parameters !== undefined && !(isObject(parameters) && parameters.type === "object")) {
      return `${place}.function.parameters: must be a JSON Schema of type "object".`
    }
  }
  return undefined
}

/** Returns the first problem in `tool_choice`. Requires valid tools. */
export function validateToolChoice(choice: unknown, tools: unknown): string | undefined {
  if (choice === undefined || choice === null) return undefined
  if (!Array.isArray(tools)) return "tool_choice: allowed only together with tools."
  if (choice === "none" || choice === "auto" || choice === "required") return undefined
  if (!isObject(choice) || choice.type !== "function" || !isObject(choice.function)) {
    return `tool_choice: ${show(choice)} is not one of "none", "auto", "required" and {type: "function", function: {name}}.`
  }
  const { name } = choice.function
  const known = tools.some((tool: { function: { name: string } }) => tool.function.name === name)
  return known ? undefined : `tool_choice: there is no tool ${show(name)} in tools.`
}

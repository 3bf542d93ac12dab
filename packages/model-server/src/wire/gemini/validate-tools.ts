import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, unknownKey, validateParameters, type Problem } from "../problem.ts"
import { validateSchema } from "./validate-schema.ts"

const functionName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/

const keys: ReadonlySet<string> = new Set([
  ...["name", "description", "parameters", "parametersJsonSchema", "response", "responseJsonSchema", "behavior"],
])

/** Returns the first problem in the function declarations. Skips the API's built-in tools. */
export function validateGeminiTools(tools: unknown): Problem {
  if (isAbsent(tools)) return undefined
  if (!Array.isArray(tools)) return "tools: must be an array."
  const names = new Set<string>()
  return firstProblem(tools, (tool: unknown, index) => {
    if (!isObject(tool)) return `tools[${index}]: must be an object.`
    const { functionDeclarations: declarations } = tool
    if (isAbsent(declarations)) {
      const isForeign = "type" in tool || "name" in tool || "function" in tool
      return isForeign ? `tools[${index}]: must be {functionDeclarations} or a tool of the API's own.` : undefined
    }
    const place = `tools[${index}].functionDeclarations`
    if (!Array.isArray(declarations)) return `${place}: must be an array.`
    return firstProblem(declarations, (each: unknown, position) => {
      const problem = validateDeclaration(each, `${place}[${position}]`)
      if (problem !== undefined) return problem
      const { name } = each as { name: string }
      if (names.has(name)) return `${place}[${position}].name: Duplicate function declaration found: ${name}.`
      names.add(name)
      return undefined
    })
  })
}

/** Returns the names of all declared functions. Requires valid tools. */
export function declaredNames(tools: unknown): string[] {
  if (!Array.isArray(tools)) return []
  return tools.flatMap(({ functionDeclarations }: { functionDeclarations?: { name: string }[] | null }) =>
    (functionDeclarations ?? []).map(({ name }) => name),
  )
}

function validateDeclaration(declaration: unknown, place: string): Problem {
  if (!isObject(declaration)) return `${place}: must be an object.`
  const { name, description, parameters, parametersJsonSchema: jsonSchema } = declaration
  if (typeof name !== "string" || !functionName.test(name)) {
    return `${place}.name: ${show(name)} does not match ${functionName.source}.`
  }
  if (!isAbsent(description) && typeof description !== "string") return `${place}.description: must be a string.`
  if (!isAbsent(parameters) && !isAbsent(jsonSchema)) {
    return `${place}: has both "parameters" and "parametersJsonSchema", give one of them.`
  }
  return (
    unknownKey(declaration, keys, place) ??
    (isAbsent(parameters) ? undefined : validateSchema(parameters, `${place}.parameters`)) ??
    (isAbsent(jsonSchema) ? undefined : validateParameters(jsonSchema, `${place}.parametersJsonSchema`))
  )
}

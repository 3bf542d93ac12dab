import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, unknownKey, type Problem } from "../problem.ts"
import { validateFunctionTurns } from "./validate-function-turns.ts"
import { validatePart } from "./validate-part.ts"

const keys: ReadonlySet<string> = new Set(["role", "parts"])

const partsOf = {
  user: ["text", "inlineData", "fileData", "functionResponse", "codeExecutionResult", "toolResponse"],
  model: [
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
  ],
}

/** Returns the first problem in the contents: a malformed one, or calls and responses that do not match. */
export function validateContents(contents: unknown): Problem {
  if (!Array.isArray(contents) || contents.length === 0) return "contents: is not specified."
  return (
    firstProblem(contents, (content, index) => validateContent(content, `contents[${index}]`)) ??
    validateFunctionTurns(contents)
  )
}

function validateContent(content: unknown, place: string): Problem {
  if (!isObject(content)) return `${place}: must be an object.`
  const { role, parts } = content
  if (!isAbsent(role) && role !== "user" && role !== "model") {
    return `${place}.role: ${show(role)} is not one of user, model.`
  }
  if (!Array.isArray(parts) || parts.length === 0) return `${place}.parts: must not be empty.`
  const allowed = partsOf[role === "model" ? "model" : "user"]
  return (
    unknownKey(content, keys, place) ??
    firstProblem(parts, (part, index) => validatePart(part, allowed, `${place}.parts[${index}]`))
  )
}

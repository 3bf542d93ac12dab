import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, unknownKey, type Problem } from "../problem.ts"
import { validateText } from "../validate-text.ts"
import { validateContents } from "./validate-contents.ts"
import { validateGeminiTools } from "./validate-tools.ts"
import { validateGenerationConfig } from "./validate-generation-config.ts"
import { validatePart } from "./validate-part.ts"
import { validateThoughtSignatures } from "./validate-thought-signatures.ts"
import { validateToolConfig } from "./validate-tool-config.ts"

/**
 * Returns the first problem of a generateContent body that the real API would refuse for this model, as a sentence that
 * names the place; undefined for a valid body. Accepts the keys of the reference in camel case only.
 */
export function validateGeminiRequest(body: unknown, model?: string): Problem {
  if (!isObject(body)) return "The body must be a JSON object."
  return (
    unknownKey(body, keys, "") ??
    validateContents(body.contents) ??
    validateSystem(body.systemInstruction) ??
    validateGeminiTools(body.tools) ??
    validateToolConfig(body.toolConfig, body.tools) ??
    validateGenerationConfig(body.generationConfig) ??
    validateThoughtSignatures(body.contents, model) ??
    validateText(body)
  )
}

const keys: ReadonlySet<string> = new Set([
  ...["contents", "systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings"],
  ...["cachedContent", "labels", "serviceTier", "continuationToken", "model", "store"],
])

function validateSystem(system: unknown): Problem {
  if (isAbsent(system)) return undefined
  if (!isObject(system) || !Array.isArray(system.parts) || system.parts.length === 0) {
    return `systemInstruction: must be {parts: [{text}]}, got ${show(system)}.`
  }
  return (
    unknownKey(system, new Set(["role", "parts"]), "systemInstruction") ??
    firstProblem(system.parts, (part, index) => validatePart(part, ["text"], `systemInstruction.parts[${index}]`))
  )
}

import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, isFilled, type Problem } from "../problem.ts"
import { isForeignTo } from "../signature.ts"
import { isFunctionName } from "../chat/validate-tools.ts"
import { validateJSONText } from "../validate-text.ts"
import { validateItemPart } from "./validate-item-part.ts"

export type Item = Readonly<Record<string, unknown>>

const MAX_CALL_ID_LENGTH = 64

/** Returns the first problem in an item of the input. Skips items of the API's built-in tools. */
export function validateItem(item: Item, isStored: boolean, place: string): Problem {
  switch (item.type) {
    case undefined:
    case "message":
      return validateMessage(item, place)
    case "function_call":
      return validateCall(item, place)
    case "function_call_output":
      return validateOutput(item, place)
    case "reasoning":
      return validateReasoning(item, isStored, place)
    case "item_reference":
      return validateReference(item, isStored, place)
  }
  if (typeof item.type === "string" && ownItemType.test(item.type)) return undefined
  return `${place}.type: ${show(item.type)} is not a type of an input item.`
}

const ownItemType = /^(?:.+_(?:call|output|trigger|update)|program|compaction|mcp_.+)$/

/** The allowed types of content parts for each role. */
const partsOf: Readonly<Record<string, readonly string[]>> = {
  user: ["input_text", "input_image", "input_file"],
  system: ["input_text"],
  developer: ["input_text"],
  assistant: ["output_text", "refusal"],
}

function validateMessage({ role, content, id }: Item, place: string): Problem {
  const allowed = typeof role === "string" && Object.hasOwn(partsOf, role) ? partsOf[role] : undefined
  if (allowed === undefined) return `${place}.role: ${show(role)} is not one of ${Object.keys(partsOf).join(", ")}.`
  if (typeof content === "string") return validateID(id, "msg", place)
  if (!Array.isArray(content)) return `${place}.content: must be a string or an array of parts, got ${show(content)}.`
  return (
    validateID(id, "msg", place) ??
    firstProblem(content, (part, index) => validateItemPart(part, allowed, `${place}.content[${index}]`))
  )
}

function validateCall({ call_id: callID, name, arguments: input, id }: Item, place: string): Problem {
  if (!isFunctionName(name)) return `${place}.name: ${show(name)} is not a valid function name.`
  if (typeof input !== "string") return `${place}.arguments: must be a string, got ${show(input)}.`
  const problem = validateCallID(callID, place) ?? validateID(id, "fc", place)
  return problem ?? validateJSONText(input, `${place}.arguments`)
}

function validateOutput({ call_id: callID, output }: Item, place: string): Problem {
  const problem = validateCallID(callID, place)
  if (problem !== undefined || typeof output === "string") return problem
  if (!Array.isArray(output)) return `${place}.output: must be a string or an array of parts, got ${show(output)}.`
  const allowed = ["input_text", "input_image", "input_file"]
  return firstProblem(output, (part, index) => validateItemPart(part, allowed, `${place}.output[${index}]`))
}

function validateCallID(callID: unknown, place: string): Problem {
  if (isFilled(callID) && callID.length <= MAX_CALL_ID_LENGTH) return undefined
  return `${place}.call_id: must be a string of 1 to ${MAX_CALL_ID_LENGTH} characters, got ${show(callID)}.`
}

function validateReasoning(item: Item, isStored: boolean, place: string): Problem {
  const { id, summary, encrypted_content: encrypted } = item
  const isSummary = Array.isArray(summary) && summary.every((part) => isObject(part) && typeof part.text === "string")
  if (!isSummary) return `${place}.summary: must be an array of {type: "summary_text", text}, got ${show(summary)}.`
  if (!isStored && isAbsent(encrypted)) {
    return (
      `${place}: Item with id ${show(id)} not found. Items are not persisted when "store" is false: ` +
      "give its encrypted_content, or leave it out."
    )
  }
  if (!isAbsent(encrypted) && !isFilled(encrypted)) return `${place}.encrypted_content: must be a string with content.`
  const words = summary.map((part: { text: string }) => part.text).join("")
  if (isFilled(encrypted) && isForeignTo(words, encrypted)) {
    return `${place}.encrypted_content: the encrypted content could not be verified: it belongs to other reasoning.`
  }
  return validateID(id, "rs", place)
}

function validateReference({ id }: Item, isStored: boolean, place: string): Problem {
  if (!isFilled(id)) return `${place}.id: a reference must name its item.`
  if (isStored) return undefined
  return `${place}: Item with id "${id}" not found. Items are not persisted when "store" is false.`
}

function validateID(id: unknown, prefix: string, place: string): Problem {
  if (isAbsent(id) || (typeof id === "string" && id.startsWith(`${prefix}_`))) return undefined
  return `${place}.id: ${show(id)} does not begin with "${prefix}_".`
}

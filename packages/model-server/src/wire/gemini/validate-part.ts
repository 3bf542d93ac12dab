import { isObject, show } from "../../json-object.ts"
import { isAbsent, isFilled, unknownKey, type Problem } from "../problem.ts"

/** Keys that a part may have in addition to its content. */
const besides = ["thought", "thoughtSignature", "videoMetadata", "mediaResolution"]

const kinds = [
  ...["text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult"],
  ...["toolCall", "toolResponse"],
]

const known: ReadonlySet<string> = new Set([...kinds, ...besides])

/** Checks of parts by kind. Each returns the path within the part, and a sentence. */
const checks: Readonly<Record<string, (value: unknown) => Problem>> = {
  text: (text) => (typeof text === "string" ? undefined : ".text: must be a string."),
  inlineData: (data) =>
    isObject(data) && isFilled(data.mimeType) && isFilled(data.data)
      ? undefined
      : `.inlineData: must be {mimeType, data}, got ${show(data)}.`,
  fileData: (data) =>
    isObject(data) && isFilled(data.fileUri) ? undefined : `.fileData: must be {mimeType, fileUri}, got ${show(data)}.`,
  functionCall: (call) => {
    if (!isObject(call) || !isFilled(call.name)) return `.functionCall: must be {name, args}, got ${show(call)}.`
    if (!isAbsent(call.args) && !isObject(call.args))
      return `.functionCall.args: must be an object, got ${show(call.args)}.`
    return unknownKey(call, new Set(["id", "name", "args"]), ".functionCall")
  },
  functionResponse: (response) => {
    if (!isObject(response) || !isFilled(response.name)) return ".functionResponse.name: cannot be empty."
    if (!isObject(response.response)) {
      return `.functionResponse.response: must be an object, got ${show(response.response)}.`
    }
    return unknownKey(
      response,
      new Set(["id", "name", "response", "parts", "willContinue", "scheduling"]),
      ".functionResponse",
    )
  },
}

/** Returns the first problem in a part. A part has exactly one kind of content, which must be allowed. */
export function validatePart(part: unknown, allowed: readonly string[], place: string): Problem {
  if (!isObject(part)) return `${place}: must be an object.`
  const problem = unknownKey(part, known, place)
  if (problem !== undefined) return problem
  const [kind, ...others] = kinds.filter((each) => !isAbsent(part[each]))
  if (kind === undefined || others.length > 0) {
    return `${place}: a part has exactly one of ${allowed.join(", ")}, got ${show(Object.keys(part))}.`
  }
  if (!allowed.includes(kind)) return `${place}: "${kind}" is not one of ${allowed.join(", ")}.`
  const inside = checks[kind]?.(part[kind])
  return inside === undefined ? validateSignature(part.thoughtSignature, place) : place + inside
}

function validateSignature(signature: unknown, place: string): Problem {
  if (isAbsent(signature) || isFilled(signature)) return undefined
  return `${place}.thoughtSignature: must be a string that is not empty.`
}

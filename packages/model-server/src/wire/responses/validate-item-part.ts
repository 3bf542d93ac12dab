import { isObject, show } from "../../json-object.ts"
import { isFilled, type Problem } from "../problem.ts"

/** Checks of parts by type. Each returns the path within the part, and a sentence. */
const checks: Readonly<Record<string, (part: Readonly<Record<string, unknown>>) => Problem>> = {
  input_text: ({ text }) => (typeof text === "string" ? undefined : ".text: must be a string."),
  output_text: ({ text }) => (typeof text === "string" ? undefined : ".text: must be a string."),
  refusal: ({ refusal }) => (typeof refusal === "string" ? undefined : ".refusal: must be a string."),
  input_image: ({ image_url: url, file_id: file, detail = "auto" }) => {
    if (!["auto", "low", "high", "original"].some((known) => known === detail)) {
      return `.detail: ${show(detail)} is not one of auto, low, high, original.`
    }
    if (isFilled(file) || (isFilled(url) && /^(?:https?:\/\/|data:image\/)./i.test(url))) return undefined
    return `.image_url: ${show(url)} begins with none of http://, https:// and data:image/.`
  },
  input_file: ({ file_id: file, file_data: bytes, file_url: url }) => {
    if (isFilled(file) || isFilled(url) || (isFilled(bytes) && bytes.startsWith("data:"))) return undefined
    return ": needs a file_id, a file_url or file_data that is a data: URL."
  },
}

/** Returns the first problem in a part with one of the allowed types. */
export function validateItemPart(part: unknown, allowed: readonly string[], place: string): Problem {
  if (!isObject(part)) return `${place}: must be an object.`
  const type = allowed.find((each) => each === part.type)
  if (type === undefined) return `${place}.type: ${show(part.type)} is not one of ${allowed.join(", ")}.`
  const problem = checks[type]?.(part)
  return problem === undefined ? undefined : place + problem
}

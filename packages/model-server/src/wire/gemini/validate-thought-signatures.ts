import { firstProblem, isAbsent, type Problem } from "../problem.ts"
import { isOfOtherCall } from "./call-signature.ts"
import { callsOf, responsesOf, type GeminiContent } from "./gemini-content.ts"

/** Signatures that the API accepts for calls by other models. */
const skipped: ReadonlySet<string> = new Set([
  "skip_thought_signature_validator",
  "context_engineering_is_the_way_to_go",
])

/**
 * Returns the first call of the current turn whose signature is missing or belongs to another call. Models from Gemini
 * 3 on require a signature for the first call of each step after the user's last message.
 */
export function validateThoughtSignatures(contents: unknown, model: string | undefined): Problem {
  const list = contents as readonly GeminiContent[]
  const begin = list.findLastIndex((content) => content.role !== "model" && responsesOf(content).length === 0)
  return (
    firstProblem(list, (content, index) => validateSigned(content, `contents[${index}]`)) ??
    firstProblem(isSigning(model) ? list.slice(begin + 1) : [], (content, index) => {
      const [call] = callsOf(content)
      const signature = content.parts.find((part) => part.functionCall)?.thoughtSignature
      if (call === undefined || !isAbsent(signature)) return undefined
      return (
        `contents[${begin + 1 + index}]: Function call is missing a thought_signature in functionCall parts: ` +
        `function call "${call.name}".`
      )
    })
  )
}

function validateSigned({ parts }: GeminiContent, place: string): Problem {
  return firstProblem(parts, ({ functionCall, thoughtSignature }, index) => {
    if (isAbsent(functionCall) || isAbsent(thoughtSignature) || skipped.has(thoughtSignature)) return undefined
    if (!isOfOtherCall(functionCall.name, functionCall.args, thoughtSignature)) return undefined
    return `${place}.parts[${index}].thoughtSignature: Corrupted thought signature: it belongs to another call.`
  })
}

function isSigning(model: string | undefined): boolean {
  return Number(/^gemini-(\d+)/.exec(model ?? "")?.[1] ?? 0) >= 3
}

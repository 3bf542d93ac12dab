import { firstProblem, isAbsent, type Problem } from "../problem.ts"
import { isOfOtherCall } from "./call-signature.ts"
import { callsOf, responsesOf, type GeminiContent } from "./gemini-content.ts"

/** Signatures that the API accepts for calls of other models. */
const skipped: ReadonlySet<string> = new Set([
  "skip_thought_signature_validator",
  "context_engineering_is_the_way_to_go",
])

/**
 * The first call of the current turn that lost its signature, or got that of another. Models from Gemini 3 on insist on
 * the first call of each step since the user spoke last.
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

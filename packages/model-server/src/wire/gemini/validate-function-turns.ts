import { firstProblem, isAbsent, type Problem } from "../problem.ts"
import { callsOf, responsesOf, type GeminiContent } from "./gemini-content.ts"

/**
 * Returns the first problem between calls and responses. A turn with calls must be followed by a turn with one response
 * for each.
 */
export function validateFunctionTurns(contents: readonly GeminiContent[]): Problem {
  return firstProblem(contents, (content, index) => {
    const place = `contents[${index}]`
    const before = contents[index - 1]
    if (callsOf(content).length > 0) {
      return validateCalls(before, place) ?? validateAnswered(content, contents[index + 1], place)
    }
    if (responsesOf(content).length === 0 || callsOf(before).length > 0) return undefined
    return `${place}: Please ensure that function response turn comes immediately after a function call turn.`
  })
}

function validateCalls(before: GeminiContent | undefined, place: string): Problem {
  if (before !== undefined && before.role !== "model") return undefined
  return (
    `${place}: Please ensure that function call turn comes immediately after a user turn or ` +
    "after a function response turn."
  )
}

function validateAnswered(content: GeminiContent, next: GeminiContent | undefined, place: string): Problem {
  const calls = callsOf(content)
  const responses = responsesOf(next)
  if (calls.length !== responses.length) {
    return (
      `${place}: Please ensure that the number of function response parts is equal to the number of function call parts ` +
      `of the function call turn: ${calls.length} calls, ${responses.length} responses.`
    )
  }
  const names = calls.map(({ name }) => name).toSorted()
  const answered = responses.map(({ name }) => name).toSorted()
  const stray = answered.find((name, index) => name !== names[index])
  if (stray !== undefined) return `${place}: the responses behind it name "${stray}", which is not one of its calls.`
  const ids = new Set(calls.map(({ id }) => id))
  const strayID = responses.find(({ id }) => !isAbsent(id) && !ids.has(id))
  return strayID === undefined ? undefined : `${place}: it has no call with the id "${strayID.id}" of a response.`
}

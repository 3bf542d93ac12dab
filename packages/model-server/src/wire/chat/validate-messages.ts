import { isObject, show } from "../../json-object.ts"
import { validateJSONText } from "../validate-text.ts"
import { validateContent } from "./validate-content.ts"
import { isFunctionName } from "./validate-tools.ts"

const roles: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"])

const MAX_CALL_ID_LENGTH = 40

/** The calls of the last assistant message whose results are still missing. */
interface OpenCalls {
  readonly place: string
  readonly ids: readonly string[]
  readonly answered: Set<string>
}

/** Returns the first problem in the list of messages: a malformed message, or calls and results that do not match. */
export function validateMessages(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return "messages: must be an array with at least one message."
  let calls: OpenCalls | undefined
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}]`
    if (!isObject(message)) return `${place}: must be an object.`
    if (!roles.has(message.role)) return `${place}.role: ${show(message.role)} is not one of ${[...roles].join(", ")}.`
    if (message.role === "tool") {
      const problem = validateResult(message, place, calls) ?? validateContent(message, place)
      if (problem !== undefined) return problem
      continue
    }
    const problem = validateAnswered(calls, place) ?? validateContent(message, place) ?? validateCalls(message, place)
    if (problem !== undefined) return problem
    calls = openCalls(message, place)
  }
  return validateAnswered(calls, "the end of messages")
}

function validateCalls({ role, tool_calls: calls }: Record<string, unknown>, place: string): string | undefined {
  if (calls === undefined || calls === null) return undefined
  if (role !== "assistant") return `${place}.tool_calls: only assistant messages have tool calls.`
  if (!Array.isArray(calls) || calls.length === 0)
    return `${place}.tool_calls: must be an array with at least one call.`
  const ids = new Set<string>()
  for (const [index, call] of calls.entries()) {
    const callPlace = `${place}.tool_calls[${index}]`
    const problem = validateCall(call, callPlace)
    if (problem !== undefined) return problem
    const { id } = call as { id: string }
    if (ids.has(id)) return `${callPlace}.id: ${show(id)} is the id of an earlier call in this message too.`
    ids.add(id)
  }
  return undefined
}

function validateCall(call: unknown, place: string): string | undefined {
  if (!isObject(call) || call.type !== "function" || !isObject(call.function)) {
    return `${place}: must be {id, type: "function", function: {name, arguments}}.`
  }
  if (typeof call.id !== "string" || call.id === "" || call.id.length > MAX_CALL_ID_LENGTH) {
    return `${place}.id: must be a string of 1 to ${MAX_CALL_ID_LENGTH} characters.`
  }
  const { name, arguments: input } = call.function
  if (!isFunctionName(name)) return `${place}.function.name: ${show(name)} is not a valid function name.`
  if (typeof input !== "string" || !isJson(input)) {
    return `${place}.function.arguments: ${show(input)} is not a string of valid JSON.`
  }
  return validateJSONText(input, `${place}.function.arguments`)
}

function validateResult(message: Record<string, unknown>, place: string, calls: OpenCalls | undefined) {
  const { tool_call_id: id } = message
  if (typeof id !== "string" || id === "") return `${place}.tool_call_id: a tool message must name its call.`
  if (calls === undefined) {
    return `${place}: a tool message must follow an assistant message with tool calls, and none stands before it.`
  }
  if (!calls.ids.includes(id)) return `${place}.tool_call_id: ${calls.place} has no tool call ${show(id)}.`
  if (calls.answered.has(id)) return `${place}.tool_call_id: the call ${show(id)} has a result already.`
  calls.answered.add(id)
  return undefined
}

function validateAnswered(calls: OpenCalls | undefined, place: string): string | undefined {
  const missing = calls?.ids.filter((id) => !calls.answered.has(id)) ?? []
  if (calls === undefined || missing.length === 0) return undefined
  return (
    `${calls.place}: tool calls need their results in tool messages directly after them; ` +
    `no result for ${missing.join(", ")} before ${place}.`
  )
}

function openCalls(message: Record<string, unknown>, place: string): OpenCalls | undefined {
  const calls = message.tool_calls as { id: string }[] | null | undefined
  return calls ? { place, ids: calls.map((call) => call.id), answered: new Set() } : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

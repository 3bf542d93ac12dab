import { messageOf, ToolInputError } from "../base/errors.ts"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { ToolPart } from "../record/message.ts"

/** Levels of nesting that arguments may have: reading and writing them takes stack. */
const DEEPEST = 200

export interface WrittenArguments {
  readonly value: JSONValue
  /** Why they are none; then `value` is empty. */
  readonly error?: ToolInputError
}

/** The arguments of a call as the model wrote them; of one that has begun, as it began. */
export function parseArguments({ tool, state }: ToolPart): WrittenArguments {
  if (state.status !== "pending") return { value: state.input as JSONObject }
  const { raw } = state
  if (raw.trim() === "") return { value: {} }
  try {
    const value = JSON.parse(raw) as JSONValue
    if (!isDeeper(value, DEEPEST)) return { value }
    const message = `The ${tool} tool was called with arguments nested deeper than ${DEEPEST} levels.`
    return { value: {}, error: new ToolInputError(message) }
  } catch (cause) {
    const excerpt = raw.length > 200 ? `${raw.slice(0, 200)}…` : raw
    const message = `The ${tool} tool was called with arguments that are not JSON (${messageOf(cause)}): ${excerpt}\nPlease send the whole call again.`
    return { value: {}, error: new ToolInputError(message, { cause }) }
  }
}

function isDeeper(value: JSONValue | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** What is stored as a call's input. */
export function toObject(args: unknown): JSONObject {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? (args as JSONObject) : {}
}

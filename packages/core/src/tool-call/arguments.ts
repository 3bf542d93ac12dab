import { messageOf, ToolInputError } from "../base/errors.ts"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { ToolPart } from "../record/message.ts"

/** Maximum levels of nesting, because reading and writing arguments is recursive. */
const MAX_DEPTH = 200

export interface WrittenArguments {
  readonly value: JSONValue
  /** Set if the arguments are invalid; `value` is then empty. */
  readonly error?: ToolInputError
}

/** Returns the arguments as the model wrote them. For a call that has begun: the arguments with which it began. */
export function parseArguments({ tool, state }: ToolPart): WrittenArguments {
  if (state.status !== "pending") return { value: state.input as JSONObject }
  const { raw } = state
  if (raw.trim() === "") return { value: {} }
  try {
    const value = JSON.parse(raw) as JSONValue
    if (!isDeeper(value, MAX_DEPTH)) return { value }
    const message = `The ${tool} tool was called with arguments nested deeper than ${MAX_DEPTH} levels.`
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

/** Returns the arguments as the stored input of a call. */
export function toObject(args: unknown): JSONObject {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? (args as JSONObject) : {}
}

import { ToolInputError } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import type { ToolPart } from "../record/message.ts"
import { shownInput } from "../measure/shown-words.ts"
import { pending } from "../contracts/tool-state.ts"
import { defineTool, type Tool } from "../contracts/tool.ts"

/** The tool through which a model calls deferred tools: they are not in the request's list of tools. */
export const CALL_TOOL = "call_tool"

/** Key in the `metadata` of a call that the model made through `call_tool`. Its part has the called tool's name. */
const CALLED_BY = "calledBy"

/** Takes the arguments as a text, because some providers reject objects without named properties. */
const inputSchema = {
  type: "object",
  properties: { name: { type: "string" }, arguments: { type: "string", description: "JSON" } },
  required: ["name", "arguments"],
}

/** Never runs: `unwrapCall` turns its calls into calls of the named tool. Calls that remain name no known tool. */
export const callTool = defineTool<never>({
  name: CALL_TOOL,
  description: "Calls a tool whose definition was found.",
  inputSchema,
  effect: "pure",
  parse(input) {
    const name = (input as { name?: unknown } | null)?.name
    const problem = typeof name === "string" ? `There is no tool "${name}".` : `${CALL_TOOL} wants "name", a text.`
    throw new ToolInputError(`${problem} Find tools and their parameters with tool_search.`)
  },
  execute: () => Promise.reject(new Error(`${CALL_TOOL} calls nothing by itself.`)),
})

/**
 * Returns the part as a call of the named tool, so that guards, permissions, results and the user interface handle it
 * like one. Returns other parts, and calls of unknown tools, unchanged.
 */
export function unwrapCall<Call extends ToolPart>(part: Call, tools: { find(name: string): Tool | undefined }): Call {
  const { state } = part
  if (state.status !== "pending" || part.tool.toLowerCase() !== CALL_TOOL) return part
  const { name, arguments: args = {} } = readObject(state.raw)
  const tool = typeof name === "string" ? tools.find(name) : undefined
  if (!tool || tool.name === CALL_TOOL) return part
  // Some models write the arguments as an object.
  const raw = typeof args === "string" ? args : JSON.stringify(args)
  return { ...part, tool: tool.name, state: pending(raw), metadata: { ...part.metadata, [CALLED_BY]: CALL_TOOL } }
}

/** Returns the call as the model made it: its name, and as much of its input as is shown. */
export function wrappedCall({ tool, state, metadata, shownBytes }: ToolPart): {
  readonly name: string
  readonly input: JSONObject
} {
  const input = shownInput(state.input as JSONObject, shownBytes)
  if (metadata?.[CALLED_BY] !== CALL_TOOL) return { name: tool, input }
  return { name: CALL_TOOL, input: { name: tool, arguments: JSON.stringify(input) } }
}

function readObject(raw: string): JSONObject {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JSONObject) : {}
  } catch {
    return {}
  }
}

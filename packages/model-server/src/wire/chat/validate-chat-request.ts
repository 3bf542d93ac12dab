import { isObject } from "../../json-object.ts"
import { validateMessages } from "./validate-messages.ts"
import { validateChatSettings } from "./validate-settings.ts"
import { validateText } from "../validate-text.ts"
import { validateToolChoice, validateTools } from "./validate-tools.ts"

/**
 * Returns the first problem of a Chat Completions body that the real API would refuse, as a sentence that names the
 * place; undefined for a valid body. Ignores unknown keys.
 */
export function validateChatRequest(body: unknown): string | undefined {
  if (!isObject(body)) return "The body must be a JSON object."
  if (typeof body.model !== "string" || body.model === "") return "model: give the name of a model as a string."
  return (
    validateMessages(body.messages) ??
    validateTools(body.tools) ??
    validateToolChoice(body.tool_choice, body.tools) ??
    validateStream(body) ??
    validateChatSettings(body) ??
    validateText(body)
  )
}

function validateStream({ stream, stream_options: options }: Record<string, unknown>): string | undefined {
  if (stream !== undefined && stream !== null && typeof stream !== "boolean") return "stream: must be a boolean."
  if (options === undefined || options === null) return undefined
  if (!isObject(options)) return "stream_options: must be an object."
  const { include_usage: usage } = options
  if (usage !== undefined && typeof usage !== "boolean") return "stream_options.include_usage: must be a boolean."
  return stream === true ? undefined : "stream_options: allowed only together with stream: true."
}

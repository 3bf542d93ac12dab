import { isObject, show } from "../../json-object.ts"
import { firstProblem, isFilled, unknownKey, type Problem } from "../problem.ts"
import { flag, between, texts, validateSettings, whole, type Setting } from "../settings.ts"
import { validateText } from "../validate-text.ts"
import { validateCaching } from "./validate-caching.ts"
import { validateAnthropicContent } from "./validate-content.ts"
import { validateAnthropicMessages } from "./validate-messages.ts"
import { validateThinking } from "./validate-thinking.ts"
import { validateAnthropicToolChoice, validateAnthropicTools } from "./validate-tools.ts"

/**
 * Returns the first problem of a Messages body that the real API would refuse, as a sentence that names the place;
 * undefined for a valid body. Unknown keys are problems, too.
 */
export function validateAnthropicRequest(body: unknown): Problem {
  if (!isObject(body)) return "The body must be a JSON object."
  if (!isFilled(body.model)) return "model: give the name of a model as a string."
  if (body.max_tokens === undefined) return "max_tokens: this setting is required."
  return (
    unknownKey(body, keys, "") ??
    validateSettings(body, settings) ??
    validateSystem(body.system) ??
    validateAnthropicMessages(body.messages) ??
    validateAnthropicTools(body.tools) ??
    validateAnthropicToolChoice(body.tool_choice, body.tools) ??
    validateThinking(body) ??
    validateCaching(body) ??
    validateText(body)
  )
}

const settings: Readonly<Record<string, Setting>> = {
  max_tokens: whole(1),
  temperature: between(0, 1),
  top_p: between(0, 1),
  top_k: whole(0),
  stop_sequences: texts(8_191, (text) => text.trim() !== ""),
  stream: flag,
  metadata: { isValid: isObject, form: "an object" },
}

const keys: ReadonlySet<string> = new Set([
  ...["model", "messages", "system", "tools", "tool_choice", "thinking", "cache_control", "output_config"],
  ...["service_tier", "container", "context_management", "mcp_servers", "inference_geo", "speed", "fallbacks"],
  ...Object.keys(settings),
])

function validateSystem(system: unknown): Problem {
  if (system === undefined || typeof system === "string") return undefined
  if (!Array.isArray(system)) return `system: must be a string or an array of text blocks, got ${show(system)}.`
  return firstProblem(system, (block, index) => validateAnthropicContent(block, ["text"], `system[${index}]`))
}

import { isObject, show } from "../../json-object.ts"
import { isAbsent, isFilled, unknownKey, type Problem } from "../problem.ts"
import { between, flag, oneOf, text, texts, validateSettings, whole, type Setting } from "../settings.ts"
import { validateText } from "../validate-text.ts"
import { validateInput } from "./validate-input.ts"
import { validateResponsesToolChoice, validateResponsesTools } from "./validate-tools.ts"

/**
 * Returns the first problem of a Responses body that the real API would refuse, as a sentence that names the place;
 * undefined for a valid body. Unknown keys are problems, too.
 */
export function validateResponsesRequest(body: unknown): Problem {
  if (!isObject(body)) return "The body must be a JSON object."
  if (!isFilled(body.model)) return "model: give the name of a model as a string."
  return (
    unknownKey(body, keys, "") ??
    validateSettings(body, settings) ??
    validateReasoning(body.reasoning) ??
    validateFormat(body.text) ??
    validateInput(body) ??
    validateResponsesTools(body.tools) ??
    validateResponsesToolChoice(body.tool_choice, body.tools) ??
    validateStreamOptions(body) ??
    validateText(body)
  )
}

const object: Setting = { isValid: isObject, form: "an object" }

const settings: Readonly<Record<string, Setting>> = {
  instructions: text,
  temperature: between(0, 2),
  top_p: between(0, 1),
  top_logprobs: whole(0, 20),
  max_output_tokens: whole(16),
  max_tool_calls: whole(1),
  parallel_tool_calls: flag,
  store: flag,
  stream: flag,
  background: flag,
  metadata: object,
  include: texts(20),
  truncation: oneOf("auto", "disabled"),
  service_tier: oneOf("auto", "default", "flex", "scale", "priority"),
  previous_response_id: text,
  prompt_cache_key: text,
  safety_identifier: text,
  user: text,
}

const keys: ReadonlySet<string> = new Set([
  ...["model", "input", "tools", "tool_choice", "reasoning", "text", "conversation", "prompt", "stream_options"],
  ...["prompt_cache_options", "prompt_cache_retention", "context_management"],
  ...Object.keys(settings),
])

function validateReasoning(reasoning: unknown): Problem {
  if (isAbsent(reasoning)) return undefined
  if (!isObject(reasoning)) return `reasoning: must be an object, got ${show(reasoning)}.`
  const efforts = oneOf("none", "minimal", "low", "medium", "high", "xhigh", "max")
  return validateSettings(reasoning, { effort: efforts, summary: oneOf("auto", "concise", "detailed") }, "reasoning")
}

function validateFormat(options: unknown): Problem {
  if (isAbsent(options)) return undefined
  if (!isObject(options)) return `text: must be an object, got ${show(options)}.`
  const { format } = options
  if (isAbsent(format)) return undefined
  if (!isObject(format)) return `text.format: must be an object, {type}, got ${show(format)}.`
  if (format.type === "text" || format.type === "json_object") return undefined
  if (format.type !== "json_schema") {
    return `text.format.type: ${show(format.type)} is not one of text, json_object, json_schema.`
  }
  if (!isFilled(format.name)) return "text.format.name: a JSON Schema needs a name."
  return isObject(format.schema) ? undefined : `text.format.schema: must be an object, got ${show(format.schema)}.`
}

function validateStreamOptions({ stream, stream_options: options }: Record<string, unknown>): Problem {
  if (isAbsent(options)) return undefined
  if (!isObject(options)) return "stream_options: must be an object."
  const problem = unknownKey(options, new Set(["include_obfuscation"]), "stream_options")
  if (problem !== undefined) return problem
  return stream === true ? undefined : "stream_options: allowed only together with stream: true."
}

import { isObject, show } from "../../json-object.ts"
import { firstProblem, isFilled, unknownKey, type Problem } from "../problem.ts"
import { isForeignTo } from "../signature.ts"
import { validateSource } from "./validate-source.ts"
import { isToolName } from "./validate-tools.ts"

type ContentBlock = Readonly<Record<string, unknown>>

interface ContentType {
  readonly keys: readonly string[]
  readonly check: (block: ContentBlock, place: string) => Problem
}

/**
 * Returns the first problem in a content block with one of the allowed types. Skips blocks of the API's built-in tools.
 */
export function validateAnthropicContent(block: unknown, allowed: readonly string[], place: string): Problem {
  if (!isObject(block)) return `${place}: must be an object.`
  if (isOfServerTool(block.type) && allowed.includes("tool_use")) return undefined
  const known = allowed.find((type) => type === block.type)
  const contentType = known === undefined ? undefined : contentTypes[known]
  if (contentType === undefined) return `${place}.type: ${show(block.type)} is not one of ${allowed.join(", ")}.`
  return contentType.check(block, place) ?? unknownKey(block, new Set(["type", ...contentType.keys]), place)
}

const contentTypes: Readonly<Record<string, ContentType>> = {
  text: { keys: ["text", "cache_control", "citations"], check: validateTextBlock },
  image: { keys: ["source", "cache_control"], check: ({ source }, place) => validateSource(source, "image", place) },
  document: {
    keys: ["source", "title", "context", "citations", "cache_control"],
    check: ({ source }, place) => validateSource(source, "document", place),
  },
  search_result: { keys: ["source", "title", "content", "citations", "cache_control"], check: () => undefined },
  container_upload: { keys: ["file_id", "cache_control"], check: () => undefined },
  tool_reference: { keys: ["tool_name"], check: () => undefined },
  tool_use: { keys: ["id", "name", "input", "cache_control", "caller", "toolset_name"], check: validateToolUse },
  tool_result: {
    keys: ["tool_use_id", "content", "is_error", "cache_control", "toolset_name"],
    check: validateToolResult,
  },
  thinking: { keys: ["thinking", "signature"], check: validateThinkingBlock },
  redacted_thinking: {
    keys: ["data"],
    check: ({ data }, place) => (isFilled(data) ? undefined : `${place}.data: must be a string that is not empty.`),
  },
}

const serverToolType = /^(?:server_tool_use|mcp_tool_use|compaction|fallback|.+_tool_result)$/

function isOfServerTool(type: unknown): boolean {
  return typeof type === "string" && serverToolType.test(type)
}

function validateTextBlock({ text }: ContentBlock, place: string): Problem {
  if (!isFilled(text)) return `${place}.text: text content blocks must be non-empty.`
  return text.trim() === "" ? `${place}.text: text content blocks must contain non-whitespace text.` : undefined
}

function validateToolUse({ id, name, input }: ContentBlock, place: string): Problem {
  if (typeof id !== "string" || !/^[a-zA-Z0-9_-]+$/.test(id)) {
    return `${place}.id: ${show(id)} does not match ^[a-zA-Z0-9_-]+$.`
  }
  if (!isToolName(name)) return `${place}.name: ${show(name)} is not a valid tool name.`
  return isObject(input) ? undefined : `${place}.input: must be an object, got ${show(input)}.`
}

function validateToolResult({ tool_use_id: id, content, is_error: isError }: ContentBlock, place: string): Problem {
  if (!isFilled(id)) return `${place}.tool_use_id: a tool result must name its call.`
  if (isError !== undefined && typeof isError !== "boolean") return `${place}.is_error: must be a boolean.`
  if (content !== undefined && typeof content !== "string" && !Array.isArray(content)) {
    return `${place}.content: must be a string or an array of blocks, got ${show(content)}.`
  }
  if (isError === true && (content === undefined || content.length === 0)) {
    return `${place}: content cannot be empty if "is_error" is true.`
  }
  if (!Array.isArray(content)) return undefined
  const allowed = isError === true ? ["text"] : ["text", "image", "document", "search_result", "tool_reference"]
  return firstProblem(content, (block, index) => validateAnthropicContent(block, allowed, `${place}.content[${index}]`))
}

function validateThinkingBlock({ thinking, signature }: ContentBlock, place: string): Problem {
  if (typeof thinking !== "string") return `${place}.thinking: must be a string.`
  if (!isFilled(signature)) return `${place}.signature: a thinking block must come back with its signature.`
  if (!isForeignTo(thinking, signature)) return undefined
  return `${place}: Invalid "signature" in "thinking" block: the text is not the one that was signed.`
}

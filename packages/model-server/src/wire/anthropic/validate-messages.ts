import { isObject, show } from "../../json-object.ts"
import { firstProblem, unknownKey, type Problem } from "../problem.ts"
import { validateAnthropicContent } from "./validate-content.ts"
import { validatePairing } from "./validate-pairing.ts"

const contentOf = {
  user: ["text", "image", "document", "search_result", "container_upload", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
}

const keys: ReadonlySet<string> = new Set(["role", "content"])

/** Returns the first problem in the list of messages: a malformed message, or calls and results that do not match. */
export function validateAnthropicMessages(messages: unknown): Problem {
  if (!Array.isArray(messages) || messages.length === 0) return "messages: at least one message is required."
  return (
    firstProblem(messages, (message, index) => {
      const isLast = index === messages.length - 1
      return validateMessage(message, isLast, `messages[${index}]`)
    }) ??
    validateFirst(messages[0]) ??
    validatePairing(messages)
  )
}

function validateFirst({ role }: { role: unknown }): Problem {
  return role === "user" ? undefined : 'messages[0]: the first message must use the "user" role.'
}

function validateMessage(message: unknown, isLast: boolean, place: string): Problem {
  if (!isObject(message)) return `${place}: must be an object.`
  const { role, content } = message
  if (role !== "user" && role !== "assistant") {
    const hint = role === "system" ? ' Give the system prompt as the top-level "system".' : ""
    return `${place}.role: ${show(role)} is not one of user, assistant.${hint}`
  }
  return unknownKey(message, keys, place) ?? validateContent(role, content, isLast, `${place}.content`)
}

function validateContent(role: "user" | "assistant", content: unknown, isLast: boolean, place: string): Problem {
  if (typeof content !== "string" && !Array.isArray(content)) {
    return `${place}: must be a string or an array of blocks, got ${show(content)}.`
  }
  // An empty last assistant message is valid: it has no effect.
  if (content.length === 0) {
    return isLast && role === "assistant" ? undefined : `${place}: all messages must have non-empty content.`
  }
  if (isLast && role === "assistant" && /\s$/.test(lastText(content))) {
    return `${place}: the last message of the assistant cannot end with trailing whitespace.`
  }
  if (typeof content === "string") {
    return content.trim() === "" ? `${place}: text content blocks must contain non-whitespace text.` : undefined
  }
  return (
    firstProblem(content, (block, index) => validateAnthropicContent(block, contentOf[role], `${place}[${index}]`)) ??
    (role === "assistant" ? validateThinkingOrder(content, place) : undefined)
  )
}

function lastText(content: string | unknown[]): string {
  if (typeof content === "string") return content
  const last = content.at(-1)
  return isObject(last) && typeof last.text === "string" ? last.text : ""
}

function validateThinkingOrder(content: { type: unknown }[], place: string): Problem {
  const isThinking = content.map(({ type }) => type === "thinking" || type === "redacted_thinking")
  if (!isThinking.includes(true)) return undefined
  if (isThinking[0] !== true) {
    return `${place}[0]: an assistant message that has thinking blocks must begin with one, found ${show(content[0]?.type)}.`
  }
  return isThinking.at(-1) === true ? `${place}: the last block of an assistant message cannot be thinking.` : undefined
}

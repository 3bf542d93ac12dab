export type CacheLifetime = "5m" | "1h"

interface ChatMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly [field: string]: unknown
}

/**
 * The body with marks for Anthropic's cache, where Claude answers behind a gateway: behind the system prompt and the
 * last two turns of the user, as `@pawl/provider-anthropic` has them. Other models' bodies stay as they are.
 */
export function withClaudeMarks(
  body: Readonly<Record<string, unknown>>,
  lifetime: CacheLifetime,
): Readonly<Record<string, unknown>> {
  const { model, messages } = body
  if (typeof model !== "string" || !/claude/i.test(model) || !Array.isArray(messages)) return body
  const all = messages as readonly ChatMessage[]
  const marked = new Set([
    all.findLastIndex(({ role }) => role === "system"),
    ...all.flatMap((message, index) => (isTurnsEnd(message, all[index + 1]) ? [index] : [])).slice(-2),
  ])
  return { ...body, messages: all.map((message, at) => (marked.has(at) ? withMark(message, lifetime) : message)) }
}

/** A gateway that is known to take the marks. Others take them as well, or refuse them. */
export function takesMarks(baseURL: string): boolean {
  return URL.canParse(baseURL) && /(?:^|\.)openrouter\.ai$/.test(new URL(baseURL).hostname)
}

function isTurnsEnd(message: ChatMessage, next: ChatMessage | undefined): boolean {
  return isUsers(message) && (next === undefined || !isUsers(next))
}

function isUsers({ role }: ChatMessage): boolean {
  return role === "user" || role === "tool"
}

/** A mark stands with a piece of the content: on a message of a tool's, OpenRouter does not take it. */
function withMark(message: ChatMessage, ttl: CacheLifetime): ChatMessage {
  const pieces: unknown =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content
  if (!Array.isArray(pieces) || pieces.length === 0) return message
  const last = pieces.at(-1) as object
  const mark = ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl }
  return { ...message, content: [...pieces.slice(0, -1), { ...last, cache_control: mark }] }
}

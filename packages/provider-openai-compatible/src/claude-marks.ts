export type CacheLifetime = "5m" | "1h"

interface ChatMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly [field: string]: unknown
}

/**
 * Adds marks for Anthropic's cache to requests for Claude behind a gateway: after the system prompt and the last two
 * user turns, like `@pawl/provider-anthropic`. Other models' bodies stay unchanged.
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

/** Gateways known to accept the marks. Others accept or refuse them. */
export function takesMarks(baseURL: string): boolean {
  return URL.canParse(baseURL) && /(?:^|\.)openrouter\.ai$/.test(new URL(baseURL).hostname)
}

function isTurnsEnd(message: ChatMessage, next: ChatMessage | undefined): boolean {
  return isUsers(message) && (next === undefined || !isUsers(next))
}

function isUsers({ role }: ChatMessage): boolean {
  return role === "user" || role === "tool"
}

/** Marks a piece of the content. OpenRouter ignores a mark on a tool message itself. */
function withMark(message: ChatMessage, ttl: CacheLifetime): ChatMessage {
  const pieces: unknown =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content
  if (!Array.isArray(pieces) || pieces.length === 0) return message
  const last = pieces.at(-1) as object
  const mark = ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl }
  return { ...message, content: [...pieces.slice(0, -1), { ...last, cache_control: mark }] }
}

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider"

export type CacheLifetime = "5m" | "1h"

type ProviderOptions = NonNullable<LanguageModelV4Message["providerOptions"]>

/**
 * Marks where Anthropic caches: after the first block of the system prompt, which all sessions of an agent share, with
 * the tools before it; after its last block; and after the last two user turns. A request ends with a user turn, which is
 * the last but one of the next request. So each request finds the previous one's cache exactly, without relying on
 * Anthropic's search over 20 blocks. Anthropic allows four marks. With a single system block, the tools get their own.
 */
export function markForCache(call: LanguageModelV4CallOptions, lifetime: CacheLifetime): LanguageModelV4CallOptions {
  const { prompt, tools = [] } = call
  const system = prompt.flatMap(({ role }, index) => (role === "system" ? [index] : []))
  const marked = new Set([
    ...system.slice(0, 1),
    ...system.slice(-1),
    ...prompt.flatMap((message, index) => (isTurnsEnd(message, prompt[index + 1]) ? [index] : [])).slice(-2),
  ])
  const lastTool = system.length > 1 ? undefined : tools.at(-1)
  return {
    ...call,
    prompt: prompt.map((message, index) => (marked.has(index) ? withMark(message, lifetime) : message)),
    tools: tools.map((tool) => (tool.type === "function" && tool === lastTool ? withMark(tool, lifetime) : tool)),
  }
}

/** Consecutive tool results and user messages form one turn. */
function isTurnsEnd(message: LanguageModelV4Message, next: LanguageModelV4Message | undefined): boolean {
  return isUsers(message) && (next === undefined || !isUsers(next))
}

function isUsers({ role }: LanguageModelV4Message): boolean {
  return role === "user" || role === "tool"
}

function withMark<Marked extends { providerOptions?: ProviderOptions }>(value: Marked, ttl: CacheLifetime): Marked {
  const { anthropic, ...others } = value.providerOptions ?? {}
  const cacheControl = ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl }
  return { ...value, providerOptions: { ...others, anthropic: { ...anthropic, cacheControl } } }
}

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider"

export type CacheLifetime = "5m" | "1h"

type ProviderOptions = NonNullable<LanguageModelV4Message["providerOptions"]>

/**
 * Marks up to where Anthropic is to cache: behind the first block of the system prompt, which all sessions of an agent
 * have, with the tools before it, behind the last one, and behind the last two turns of the user. A request ends with a
 * turn of the user, which is the last but one of the next request: so each request finds what the one before it wrote
 * at the very place, and does not depend on the 20 blocks that Anthropic looks back. These are all the four marks there
 * may be. Where there is one block, the tools have a mark of their own.
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

/** Results of tools and what the user says are one turn, as far as they follow each other. */
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

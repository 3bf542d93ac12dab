import type { ModelMessage, ModelRequest, ToolCallContent, ToolDefinition } from "../contracts/model.ts"

/**
 * Requests in which every string is well-formed Unicode: half of a surrogate pair, as of a text that was cut in the
 * middle of a character, becomes U+FFFD. Providers refuse a request with one, and the text would be sent again with each
 * later request. A message and a list of tools are examined once, by identity, and the same value gives the same value.
 */
export function createWellFormed(): (request: ModelRequest) => ModelRequest {
  const known = new WeakMap<ModelMessage | readonly ToolDefinition[], unknown>()

  function once<T extends ModelMessage | readonly ToolDefinition[]>(value: T, convert: (value: T) => T): T {
    let made = known.get(value) as T | undefined
    if (made === undefined) known.set(value, (made = convert(value)))
    return made
  }

  return (request) => {
    const { messages: givenMessages, tools: givenTools, ...given } = request
    const tools = once(givenTools, wellFormed)
    const messages = eachOnce(givenMessages, (message) => once(message, wellFormedMessage))
    const rest = wellFormed(given)
    if (tools === givenTools && messages === givenMessages && rest === given) return request
    return { ...rest, tools, messages }
  }
}

/** An answer that has changed is not the one that its provider has signed: it goes back as that of another model. */
function wellFormedMessage(message: ModelMessage): ModelMessage {
  const made = wellFormed(message)
  if (made === message || made.role !== "assistant") return made
  const content: (typeof made.content)[number][] = []
  for (const item of made.content) {
    if (item.type === "text" || item.metadata === undefined) content.push(item)
    else if (item.type === "tool-call") content.push(unsigned(item))
  }
  return { role: "assistant", content }
}

function unsigned({ callID, name, input }: ToolCallContent): ToolCallContent {
  return { type: "tool-call", callID, name, input }
}

/** The list itself if no item changes: there may be thousands. */
function eachOnce<T>(items: readonly T[], convert: (item: T) => T): readonly T[] {
  let changed: T[] | undefined
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as T
    const made = convert(item)
    if (made !== item) (changed ??= items.slice())[at] = made
  }
  return changed ?? items
}

/** The same value if nothing in it has to change. Of two keys that become the same one, the later value stays. */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (repaired(value) as T)
}

/** Allocates nothing: nearly all values are. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed()
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  for (const key in value) {
    if (!key.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key])) return false
  }
  return true
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed()
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(repaired)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), repaired(each)]))
}

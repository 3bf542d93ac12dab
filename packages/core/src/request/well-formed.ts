import type { ModelMessage, ModelRequest, ToolCallContent, ToolDefinition } from "../contracts/model.ts"

/**
 * Makes every string of a request well-formed Unicode: half of a surrogate pair, for example of a cut text, becomes
 * U+FFFD. Providers refuse such requests, and the text would be sent again with each later request. A message and a
 * list of tools are examined once, by identity, and the same value gives the same value.
 */
export function createWellFormed(): (request: ModelRequest) => ModelRequest {
  const known = new WeakMap<ModelMessage | readonly ToolDefinition[], unknown>()

  function once<T extends ModelMessage | readonly ToolDefinition[]>(value: T, convert: (value: T) => T): T {
    let converted = known.get(value) as T | undefined
    if (converted === undefined) known.set(value, (converted = convert(value)))
    return converted
  }

  return (request) => {
    const { messages: oldMessages, tools: oldTools, ...oldRest } = request
    const tools = once(oldTools, wellFormed)
    const messages = eachOnce(oldMessages, (message) => once(message, wellFormedMessage))
    const rest = wellFormed(oldRest)
    if (tools === oldTools && messages === oldMessages && rest === oldRest) return request
    return { ...rest, tools, messages }
  }
}

/** Repairs a message. Removes signatures from a changed answer, because they are not valid for it. */
function wellFormedMessage(message: ModelMessage): ModelMessage {
  const converted = wellFormed(message)
  if (converted === message || converted.role !== "assistant") return converted
  const content: (typeof converted.content)[number][] = []
  for (const item of converted.content) {
    if (item.type === "text" || item.metadata === undefined) content.push(item)
    else if (item.type === "tool-call") content.push(unsigned(item))
  }
  return { role: "assistant", content }
}

function unsigned({ callID, name, input }: ToolCallContent): ToolCallContent {
  return { type: "tool-call", callID, name, input }
}

/** Converts a list. Returns the list itself if no item changes, because there may be thousands. */
function eachOnce<T>(items: readonly T[], convert: (item: T) => T): readonly T[] {
  let changed: T[] | undefined
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as T
    const converted = convert(item)
    if (converted !== item) (changed ??= items.slice())[at] = converted
  }
  return changed ?? items
}

/** Repairs a value. Returns the same value if it is well-formed. If two keys become equal, the later value stays. */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (repaired(value) as T)
}

/** Returns whether all strings are well-formed. Allocates nothing, because nearly all values are well-formed. */
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

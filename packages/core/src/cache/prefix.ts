import type { ModelMessage, ModelRequest, ToolDefinition } from "../contracts/model.ts"
import type { ModelRef } from "../record/message.ts"
import { digest } from "../base/digest.ts"

/** A request as a row of hashes of its blocks. A provider's cache keeps a beginning of that row. */
export interface Prefix {
  readonly model: string
  readonly system: readonly string[]
  readonly tools: string
  readonly messages: readonly string[]
}

/** The first difference between a request and the previous one. */
export interface PrefixChange {
  readonly reason: "model" | "system" | "tools" | "messages"
  /** For example `system[1]`, `tools`, `messages[12]`. After a change of the model: the first block. */
  readonly firstChangedBlock: string
}

/**
 * Hashes the blocks of requests. A message or a list of tools is hashed once, by identity, and a system block until it
 * changes, so that a step only hashes new messages. Call it when the answer has begun, because the first request of a
 * long session is hashed whole.
 */
export function createPrefixes(): (
  model: ModelRef,
  request: Pick<ModelRequest, "system" | "tools" | "messages">,
) => Prefix {
  const messages = new WeakMap<ModelMessage, string>()
  const tools = new WeakMap<readonly ToolDefinition[], string>()
  let system = new Map<string, string>()

  function known<T extends object>(memo: WeakMap<T, string>, block: T): string {
    let hash = memo.get(block)
    if (hash === undefined) memo.set(block, (hash = digest(JSON.stringify(block))))
    return hash
  }

  return ({ providerID, modelID }, request) => {
    const blocks = new Map(request.system.map((block) => [block, system.get(block) ?? digest(block)]))
    // Keep only the blocks of the last request: a block that changes with each step would pile up.
    system = blocks
    return {
      model: `${providerID}/${modelID}`,
      system: request.system.map((block) => blocks.get(block) as string),
      tools: known(tools, request.tools),
      messages: request.messages.map((message) => known(messages, message)),
    }
  }
}

/** Compares two requests. Returns undefined if `now` begins with the whole of `before`. */
export function comparePrefix(before: Prefix, now: Prefix): PrefixChange | undefined {
  const head = compareHead(before, now)
  if (head) return head
  const at = before.messages.findIndex((hash, index) => hash !== now.messages[index])
  return at < 0 ? undefined : { reason: "messages", firstChangedBlock: messageBlock(at) }
}

/** Compares only model, system prompt and tools. Returns undefined if they are equal. */
export function compareHead(before: Omit<Prefix, "messages">, now: Omit<Prefix, "messages">): PrefixChange | undefined {
  if (before.model !== now.model) return { reason: "model", firstChangedBlock: "system[0]" }
  const blocks = Math.max(before.system.length, now.system.length)
  for (let at = 0; at < blocks; at++) {
    if (before.system[at] !== now.system[at]) return { reason: "system", firstChangedBlock: `system[${at}]` }
  }
  return before.tools === now.tools ? undefined : { reason: "tools", firstChangedBlock: "tools" }
}

export function messageBlock(index: number): string {
  return `messages[${index}]`
}

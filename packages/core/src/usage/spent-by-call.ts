import type { MessageWithParts, Part, Tokens, ToolPart } from "../record/message.ts"
import { addSpent, nothingSpent, type Spent } from "../record/spent.ts"
import { spentFor, spentIn } from "./stored-spending.ts"

/** Usage that is attributed to one call. */
export interface CallSpent {
  readonly call: ToolPart
  readonly spent: Spent
}

/**
 * Divides the usage of an assistant's message among its calls, in their order. A call gets the requests that it made
 * itself, and an equal share of all others. The sum equals `spentFor`; empty if the message has no calls.
 */
export function spentByCall(message: MessageWithParts): CallSpent[] {
  const calls = message.parts.filter((part) => part.type === "tool")
  if (calls.length === 0) return []
  const ownUsage = calls.map(({ callID }) => usageOfCall(message.parts, callID))
  const rest = share(subtract(spentFor(message), ownUsage.reduce(addSpent, nothingSpent)), calls.length)
  return calls.map((call, index) => ({ call, spent: addSpent(rest, ownUsage[index] ?? nothingSpent) }))
}

function usageOfCall(parts: readonly Part[], callID: string): Spent {
  return parts.reduce((all, part) => {
    if (part.type !== "usage" || part.callID !== callID) return all
    return addSpent(all, spentIn(part))
  }, nothingSpent)
}

function subtract(a: Spent, b: Spent): Spent {
  const estimated = {
    tokens: (a.estimated?.tokens ?? 0) - (b.estimated?.tokens ?? 0),
    cost: (a.estimated?.cost ?? 0) - (b.estimated?.cost ?? 0),
  }
  const tokens = combined((key) => key(a.tokens) - key(b.tokens))
  return { requests: a.requests - b.requests, tokens, cost: a.cost - b.cost, estimated }
}

function share({ requests, tokens, cost, estimated }: Spent, by: number): Spent {
  return {
    ...{ requests: requests / by, tokens: combined((key) => key(tokens) / by), cost: cost / by },
    ...(estimated ? { estimated: { tokens: estimated.tokens / by, cost: estimated.cost / by } } : {}),
  }
}

function combined(figure: (key: (tokens: Tokens) => number) => number): Tokens {
  return {
    input: figure(({ input }) => input),
    output: figure(({ output }) => output),
    reasoning: figure(({ reasoning }) => reasoning),
    cache: { read: figure(({ cache }) => cache.read), write: figure(({ cache }) => cache.write) },
  }
}

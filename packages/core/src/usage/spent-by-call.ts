import type { MessageWithParts, Part, Tokens, ToolPart } from "../record/message.ts"
import { addSpent, nothingSpent, type Spent } from "../record/spent.ts"
import { spentFor, spentIn } from "./stored-spending.ts"

/** What is put down to one call. */
export interface CallSpent {
  readonly call: ToolPart
  readonly spent: Spent
}

/**
 * What was spent for a message of the assistant, by the calls that it made, in their order: what a call had a model say
 * is its own, and the rest is shared by all of them equally. Sums up to `spentFor`; empty where it made none.
 */
export function spentByCall(message: MessageWithParts): CallSpent[] {
  const calls = message.parts.filter((part) => part.type === "tool")
  if (calls.length === 0) return []
  const asked = calls.map(({ callID }) => askedBy(message.parts, callID))
  const rest = share(subtract(spentFor(message), asked.reduce(addSpent, nothingSpent)), calls.length)
  return calls.map((call, index) => ({ call, spent: addSpent(rest, asked[index] ?? nothingSpent) }))
}

function askedBy(parts: readonly Part[], callID: string): Spent {
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

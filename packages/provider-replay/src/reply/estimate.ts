import type { ModelMessage, ModelRequest, Tokens } from "@pawl/core/provider"
import type { Reply, ReplyStep, ScriptedUsage } from "./reply.ts"

/** Returns the token counts of a reply. Estimates one token for four characters if the script has no counts. */
export function usageOf(reply: Reply, requestCharacters: number): Tokens {
  const scripted = reply.map(scriptedUsage).find((usage) => usage !== undefined)
  return {
    input: scripted?.input ?? toTokens(requestCharacters),
    output: scripted?.output ?? toTokens(sum(reply, answerCharacters)),
    reasoning: scripted === undefined ? toTokens(sum(reply, reasoningCharacters)) : (scripted.reasoning ?? 0),
    cache: { read: scripted?.cacheRead ?? 0, write: scripted?.cacheWrite ?? 0 },
  }
}

function scriptedUsage(step: ReplyStep): ScriptedUsage | undefined {
  return step.type === "ending" ? step.usage : undefined
}

/**
 * Creates a function that counts the characters of requests, without files. Caches the count of a message by its
 * identity, so that a long conversation is fast.
 */
export function createRequestMeter(): (request: ModelRequest) => number {
  const counts = new WeakMap<object, number>()

  function count(value: object, characters: () => number): number {
    const known = counts.get(value)
    if (known !== undefined) return known
    const counted = characters()
    counts.set(value, counted)
    return counted
  }

  return ({ system, messages, tools }) =>
    sum(system, (block) => block.length) +
    sum(messages, (message) => count(message, () => messageCharacters(message))) +
    sum(tools, (tool) => count(tool, () => JSON.stringify(tool).length))
}

function messageCharacters({ content }: ModelMessage): number {
  return sum<ModelMessage["content"][number]>(content, (part) => {
    if (part.type === "file") return 0
    if (part.type === "tool-call") return part.name.length + JSON.stringify(part.input).length
    return part.type === "tool-result" ? part.output.length : part.text.length
  })
}

function answerCharacters(step: ReplyStep): number {
  if (step.type === "text") return sum(step.chunks, length)
  if (step.type === "call") return step.name.length + sum(step.chunks, length)
  if (step.type === "text-delta") return step.text.length
  return step.type === "tool-call" ? step.name.length + step.input.length : 0
}

function reasoningCharacters(step: ReplyStep): number {
  if (step.type === "reasoning") return sum(step.chunks, length)
  return step.type === "reasoning-delta" ? step.text.length : 0
}

function length(text: string): number {
  return text.length
}

function sum<T>(values: readonly T[], amount: (value: T) => number): number {
  return values.reduce((total, value) => total + amount(value), 0)
}

function toTokens(characters: number): number {
  return Math.ceil(characters / 4)
}

import type { LanguageModelV4StreamPart, LanguageModelV4ToolResult, SharedV4ProviderMetadata } from "@ai-sdk/provider"
import type { JSONObject, JSONValue, ModelEvent } from "@pawl/core/provider"
import { toFinishReason } from "./finish-reason.ts"
import { toTokens } from "./usage.ts"

type Part = Exclude<LanguageModelV4StreamPart, { type: "error" }>

/** Converts the parts of one answer to events, in order. Returns undefined for a part that the engine does not need. */
export function createTranslation(): (part: Part) => ModelEvent | undefined {
  const metadata = new Map<string, SharedV4ProviderMetadata>()
  let calls = false

  // A signature may come with any piece of a block. The block's end hands on the last one.
  function keep(part: { id: string; providerMetadata?: SharedV4ProviderMetadata }): void {
    if (part.providerMetadata !== undefined) metadata.set(part.id, part.providerMetadata)
  }

  // An answer may use the same id several times.
  function take(id: string): SharedV4ProviderMetadata | undefined {
    const kept = metadata.get(id)
    metadata.delete(id)
    return kept
  }

  return (part) => {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta":
        keep(part)
        return { type: part.type, id: part.id, text: part.delta }
      case "text-start":
      case "reasoning-start":
        keep(part)
        return { type: part.type, id: part.id, ...withMetadata(part.providerMetadata) }
      case "text-end":
      case "reasoning-end":
        keep(part)
        return { type: part.type, id: part.id, ...withMetadata(take(part.id)) }
      case "tool-input-start":
        return { type: part.type, id: part.id, name: part.toolName }
      case "tool-input-delta":
        return { type: part.type, id: part.id, delta: part.delta }
      case "tool-input-end":
        return { type: part.type, id: part.id }
      case "tool-call": {
        const { toolCallId: id, toolName: name, input, providerExecuted } = part
        if (providerExecuted === true) return { type: part.type, id, name, input, providerExecuted }
        calls = true
        return { type: part.type, id, name, input, ...withMetadata(part.providerMetadata) }
      }
      case "tool-result":
        return part.preliminary === true ? undefined : toToolOutcome(part)
      case "finish":
        return { type: part.type, reason: toFinishReason(part.finishReason, calls), usage: toTokens(part.usage) }
      default:
        return undefined
    }
  }
}

function toToolOutcome({ toolCallId: id, toolName: name, result, isError }: LanguageModelV4ToolResult): ModelEvent {
  if (isError !== true) return { type: "tool-result", id, name, output: result as JSONValue }
  return { type: "tool-error", id, name, error: typeof result === "string" ? result : JSON.stringify(result) }
}

function withMetadata(metadata: SharedV4ProviderMetadata | undefined): { metadata?: JSONObject } {
  return metadata === undefined ? {} : { metadata }
}

import type { LanguageModelV4FinishReason } from "@ai-sdk/provider"
import type { FinishReason } from "@pawl/core"

/** `calls`: whether the answer holds tool calls for us to run. Some servers say `stop` all the same. */
export function toFinishReason({ unified }: LanguageModelV4FinishReason, calls: boolean): FinishReason {
  switch (unified) {
    case "stop":
      return calls ? "tool-calls" : "stop"
    case "length":
    case "content-filter":
    case "tool-calls":
    case "error":
      return unified
    default:
      return "unknown"
  }
}

/** Whether the server never said why it stopped, as when its answer was cut short. */
export function isUnfinished({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return raw === undefined && (unified === "other" || unified === "interrupted")
}

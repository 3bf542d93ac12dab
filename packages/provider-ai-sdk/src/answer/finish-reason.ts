import type { LanguageModelV4FinishReason } from "@ai-sdk/provider"
import type { FinishReason } from "@pawl/core/provider"

/** `calls`: true if the answer holds tool calls to run. Some servers report `stop` even then. */
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

/** Returns true if the server gave no reason to stop, as when its answer was cut short. */
export function isUnfinished({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return raw === undefined && (unified === "other" || unified === "interrupted")
}

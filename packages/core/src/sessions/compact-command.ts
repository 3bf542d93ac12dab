import type { RunResult } from "../run/run-result.ts"

/** The command for a compaction, which users write instead of a prompt. */
export const COMPACT_COMMAND = {
  name: "compact",
  description: "Replace older messages with a summary. Text after the command says what to focus on.",
} as const

/** Parses `/compact` and the focus behind it. Returns undefined for any other text. */
export function compactCommand(text: string): { readonly focus?: string } | undefined {
  const [found, focus = ""] = /^\/compact(?:\s+([^]*))?$/.exec(text.trim()) ?? []
  if (found === undefined) return undefined
  return focus === "" ? {} : { focus }
}

/**
 * Returns a sentence about why a requested compaction made nothing smaller. Undefined if it did, or if the joined run
 * continued.
 */
export function compactionProblem(result: RunResult): string | undefined {
  if (result.type === "failed" || result.type === "refused") return result.error.data.message
  if (result.type === "aborted") return "The compaction was stopped. The session is as it was."
  if (result.type !== "compacted" || result.outcome.type === "applied") return undefined
  if (result.outcome.type === "skipped") return "Nothing was compacted: a plugin skipped it."
  return `Nothing was compacted: ${result.outcome.reason.replace(/\.$/, "")}. The session is as it was.`
}

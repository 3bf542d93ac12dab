import type { RunResult } from "../run/run-result.ts"

/** What the user may write in place of a prompt, for a compaction. */
export const COMPACT_COMMAND = {
  name: "compact",
  description: "Replace older messages by a summary; what follows says what it is to dwell on.",
} as const

/** The compaction that a prompt's text asks for: `/compact`, and behind it what the summary is to dwell on. */
export function compactCommand(text: string): { readonly focus?: string } | undefined {
  const [found, focus = ""] = /^\/compact(?:\s+([^]*))?$/.exec(text.trim()) ?? []
  if (found === undefined) return undefined
  return focus === "" ? {} : { focus }
}

/** Why a compaction that was asked for made nothing smaller, a sentence; undefined if it did, or if a run that it joined went on. */
export function compactionProblem(result: RunResult): string | undefined {
  if (result.type === "failed" || result.type === "refused") return result.error.data.message
  if (result.type === "aborted") return "The compaction was stopped. The session is as it was."
  if (result.type !== "compacted" || result.outcome.type === "applied") return undefined
  if (result.outcome.type === "skipped") return "Nothing was compacted: a plugin did not want it."
  return `Nothing was compacted: ${result.outcome.reason}. The session is as it was.`
}

import type { Part, ToolPart } from "./message.ts"

/**
 * Whether a call that its owner left is gone on with: one that has not run and asks for something, and one that runs
 * and may be run again under the same key. `parts`: those of its message.
 */
export function canResume({ callID, state, metadata }: ToolPart, parts: readonly Part[]): boolean {
  if (state.status === "running") return metadata?.["resumable"] === true
  return state.status === "pending" && parts.some((part) => part.type === "question" && part.callID === callID)
}

/** Those that are to be gone on with, in their order. */
export function resumableCalls(parts: readonly Part[]): ToolPart[] {
  return parts.filter((part): part is ToolPart => part.type === "tool" && canResume(part, parts))
}

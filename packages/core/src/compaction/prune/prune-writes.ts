import type { Write } from "../../contracts/storage.ts"
import type { CompletedTool } from "./select-prunable.ts"

/**
 * Returns the writes that clear these outputs, for one commit. The text stays stored; `now`, in epoch milliseconds, is
 * the time at which it left the context. An output that was cleared before keeps its time.
 */
export function pruneWrites(parts: readonly CompletedTool[], now: number): Write[] {
  return parts.map((part): Write => {
    const { state } = part
    const time = { ...state.time, compacted: state.time.compacted ?? now }
    return { type: "part.put", part: { ...part, state: { ...state, time } } }
  })
}

import type { Call } from "../conversation.ts"
import type { Entry } from "../entry.ts"

const CLEARED = "[Old tool result content cleared]"
const RECENT_TURNS = 2
const KEPT_TOKENS = 40_000
const MIN_FREED_TOKENS = 20_000

/**
 * Clears old outputs: those before the two newest turns and the newest 40,000 tokens of outputs, if that frees more
 * than 20,000 tokens. Stops at an output that is cleared already.
 */
export function pruned(entries: readonly Entry[]): readonly Entry[] {
  const cleared = new Set<Call>()
  let [turns, outputs, reclaimed] = [0, 0, 0]
  walk: for (const entry of entries.toReversed()) {
    if (entry.type === "user") turns++
    else if (turns >= RECENT_TURNS) {
      for (const call of entry.answer.calls.toReversed()) {
        const { output } = call.result.error === undefined ? call.result : { output: undefined }
        if (output === undefined) continue
        if (output === CLEARED) break walk
        const size = Math.round(output.length / 4)
        outputs += size
        if (outputs <= KEPT_TOKENS) continue
        cleared.add(call)
        reclaimed += size
      }
    }
  }
  if (reclaimed <= MIN_FREED_TOKENS) return entries
  const clear = (call: Call): Call => {
    return cleared.has(call) ? { ...call, result: { output: CLEARED, metadata: {} } } : call
  }
  return entries.map((entry) => {
    if (entry.type === "user" || !entry.answer.calls.some((call) => cleared.has(call))) return entry
    return { type: "answer", answer: { ...entry.answer, calls: entry.answer.calls.map(clear) } }
  })
}

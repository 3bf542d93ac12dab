import type { Call } from "../conversation.ts"
import type { Entry } from "../entry.ts"

const CLEARED = "[Old tool result content cleared]"
const RECENT_TURNS = 2
const KEPT = 40_000
const LEAST = 20_000

/**
 * The same with old outputs cleared: beyond the two newest turns and the newest 40,000 tokens of outputs, if that is
 * more than 20,000. The walk ends at an output that is already cleared.
 */
export function pruned(talk: readonly Entry[]): readonly Entry[] {
  const cleared = new Set<Call>()
  let [turns, outputs, reclaimed] = [0, 0, 0]
  walk: for (const entry of talk.toReversed()) {
    if (entry.type === "user") turns++
    else if (turns >= RECENT_TURNS) {
      for (const call of entry.answer.calls.toReversed()) {
        const { output } = call.result.error === undefined ? call.result : { output: undefined }
        if (output === undefined) continue
        if (output === CLEARED) break walk
        const size = Math.round(output.length / 4)
        outputs += size
        if (outputs <= KEPT) continue
        cleared.add(call)
        reclaimed += size
      }
    }
  }
  if (reclaimed <= LEAST) return talk
  const clear = (call: Call): Call => {
    return cleared.has(call) ? { ...call, result: { output: CLEARED, metadata: {} } } : call
  }
  return talk.map((entry) => {
    if (entry.type === "user" || !entry.answer.calls.some((call) => cleared.has(call))) return entry
    return { type: "answer", answer: { ...entry.answer, calls: entry.answer.calls.map(clear) } }
  })
}

import type { ModelRequest } from "@pawl/core/provider"
import type { Reply } from "../reply/reply.ts"
import type { Position } from "./script.ts"
import { replyIndex, type Turn, turnsOf } from "./turns.ts"

/** Returns the index of the reply for a request. It may be after the last reply. */
export type Cursor = (request: ModelRequest) => number

export function createCursor(replies: readonly Reply[], position: Position): Cursor {
  return position === "sequence" ? bySequence() : byHistory(turnsOf(replies))
}

function bySequence(): Cursor {
  let next = 0
  return () => next++
}

// Only the number of repetitions of a request is kept in memory, so a new process starts again with the first attempt.
function byHistory(turns: readonly Turn[]): Cursor {
  const repeated = new Map<string, { turn: number; attempts: number }>()

  return ({ sessionID, messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length
    const last = repeated.get(sessionID)
    const attempts = last?.turn === turn ? last.attempts : 0
    repeated.set(sessionID, { turn, attempts: attempts + 1 })
    return replyIndex(turns, turn, attempts)
  }
}

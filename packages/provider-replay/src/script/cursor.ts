import type { ModelRequest } from "@pawl/core/provider"
import type { Reply } from "../reply/reply.ts"
import type { Position } from "./script.ts"
import { replyIndex, type Turn, turnsOf } from "./turns.ts"

/** Tells for each request the index of its reply, which may lie beyond the last one. */
export type Cursor = (request: ModelRequest) => number

export function createCursor(replies: readonly Reply[], position: Position): Cursor {
  return position === "sequence" ? bySequence() : byHistory(turnsOf(replies))
}

function bySequence(): Cursor {
  let next = 0
  return () => next++
}

// What is remembered is only how often a request was repeated: a new process begins again with the first attempt.
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

import { firstProblem, type Problem } from "../problem.ts"
import { toTurns, type Turn } from "./turns.ts"

/**
 * Returns the first problem between calls and results. Consecutive messages with the same role are one turn. The turn
 * after calls must begin with their results, one for each.
 */
export function validatePairing(messages: readonly unknown[]): Problem {
  const turns = toTurns(messages)
  const ids = new Set<string>()
  return firstProblem(turns, (turn, index) => {
    const previous = turns[index - 1]
    return (
      firstProblem(callsOf(turn), (id) => {
        if (ids.has(id)) return `${turn.place}: "tool_use" ids must be unique, ${id} stands there before.`
        ids.add(id)
        return undefined
      }) ??
      validateResults(turn, previous) ??
      validateAnswered(turn, turns[index + 1])
    )
  })
}

function validateResults(turn: Turn, previous: Turn | undefined): Problem {
  const known = previous === undefined ? [] : callsOf(previous)
  const seen = new Set<string>()
  const firstOther = turn.blocks.findIndex((block) => block.type !== "tool_result")
  return firstProblem(turn.blocks, (block, index) => {
    if (block.type !== "tool_result") return undefined
    const id = String(block.tool_use_id)
    if (!known.includes(id)) {
      return `${turn.place}: unexpected "tool_use_id" in a "tool_result" block: ${id} is not a call of the previous message.`
    }
    if (seen.has(id)) return `${turn.place}: each "tool_use" must have a single result, found several for ${id}.`
    seen.add(id)
    if (firstOther === -1 || index < firstOther) return undefined
    return `${turn.place}: "tool_result" blocks must come first in a message, ${id} stands behind other content.`
  })
}

function validateAnswered(turn: Turn, next: Turn | undefined): Problem {
  const answered = new Set(
    next?.blocks.filter((block) => block.type === "tool_result").map((block) => block.tool_use_id),
  )
  const missing = callsOf(turn).filter((id) => !answered.has(id))
  if (missing.length === 0) return undefined
  return (
    `${turn.place}: "tool_use" ids were found without "tool_result" blocks immediately after: ${missing.join(", ")}. ` +
    "The next message must hold the result of each call."
  )
}

function callsOf(turn: Turn): string[] {
  return turn.blocks.filter((block) => block.type === "tool_use").map((block) => String(block.id))
}

import type { AssistantMessage, MessageWithParts, ToolPart, ToolState } from "../record/message.ts"
import { describeCall } from "./call-key.ts"
import { type LoopTraits } from "../contracts/tool.ts"
import { MAX_UNITS } from "./calls.ts"
import { outcomeOf } from "./outcome.ts"
import { createTurnFold } from "./turn-fold.ts"
import { type AnswerUnit, type CallRecord, toAnswerUnit } from "./unit.ts"

/** What the part of a call that was answered with a nudge carries in its `metadata`. */
export const NUDGED = "nudged"

/** The name of a result before it was cut to fit beside others, in the part's `metadata`: it does not depend on them. */
export const OUTCOME = "loopOutcome"

/**
 * Reads the answers with calls of the open turn, oldest first, for `createCallJudge`. One for each run; `traitsOf` is
 * called once for each call. Hooks may change a call's arguments: its part then carries the key of what the model wrote in
 * `metadata.loopKey`.
 */
export function createCallsOfTurn(
  traitsOf: (tool: string) => LoopTraits | undefined,
): (messages: readonly MessageWithParts[]) => readonly AnswerUnit[] {
  return createTurnFold(MAX_UNITS, ({ info, parts }: MessageWithParts<AssistantMessage>) => {
    const calls = parts.filter((part) => part.type === "tool")
    return calls.length > 0 ? [toAnswerUnit(calls.map((part) => toRecord(part, info.id, traitsOf(part.tool))))] : []
  })
}

function toRecord({ tool, state, metadata }: ToolPart, reply: string, traits: LoopTraits | undefined): CallRecord {
  const call = describeCall(tool, state.input as never, traits)
  const key = metadata?.["loopKey"]
  let unread: ToolState | undefined = state
  let outcome: string | undefined
  return {
    ...call,
    ...(typeof key === "string" ? { key } : {}),
    reply,
    // Read only for the few calls that are like another: an output may be long.
    get outcome() {
      const named = metadata?.[OUTCOME]
      if (unread) outcome = typeof named === "string" ? named : outcomeOf(unread)
      unread = undefined
      return outcome
    },
    ...(state.status === "error" ? { failed: true } : {}),
    ...(metadata?.[NUDGED] === true ? { nudged: true } : {}),
  }
}

import type { AssistantMessage, MessageWithParts, ToolPart, ToolState } from "../record/message.ts"
import { describeCall } from "./call-key.ts"
import { type LoopTraits } from "../contracts/tool.ts"
import { MAX_UNITS } from "./calls.ts"
import { outcomeOf } from "./outcome.ts"
import { createTurnFold } from "./turn-fold.ts"
import { type AnswerUnit, type CallRecord, toAnswerUnit } from "./unit.ts"

/** Key in the `metadata` of a call that was answered with a nudge. */
export const NUDGED = "nudged"

/**
 * Key in the part's `metadata` for the name of a result before it was cut to fit beside others, on which the name does
 * not depend.
 */
export const OUTCOME = "loopOutcome"

/**
 * Creates the reader of the open turn's answers with calls, oldest first, for `createCallJudge`. Use one for each run.
 * Calls `traitsOf` once for each call. Hooks may change a call's arguments; then `metadata.loopKey` of its part has the
 * key of the model's own arguments.
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
    // Computed only for the few calls that equal another one: an output may be long.
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

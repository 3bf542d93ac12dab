import { RepetitionError } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import { NUDGED } from "../repetition/turn-calls.ts"
import { decidePermission, type PermissionRules } from "../permission/rules.ts"
import type { QuestionPart } from "../record/message.ts"
import type { RepetitionGuard } from "../repetition/repetition-guard.ts"
import type { Attempt, ToolCallInfo, UnsettledToolPart } from "./attempt.ts"
import type { PermissionNeed } from "../contracts/tool.ts"
import type { Going, ToolCallScene } from "./scene.ts"

const DOOM_LOOP = "doom_loop"

type Repeated = ReturnType<RepetitionGuard["call"]>

/** Counts the call, and marks it where it repeats others. */
export function countCall(scene: ToolCallScene, call: ToolCallInfo, attempt: Attempt, args: JSONObject): Repeated {
  const repeated = scene.repetition.call(call.tool, args, call.messageID)
  if (repeated.response.type === "run") return repeated
  attempt.part = keepLoopKey(attempt.part, repeated)
  // Where a person can be asked, all rules have their say before that.
  if (repeated.response.type !== "ask" && mayRepeat(scene.rules, call.tool))
    return { ...repeated, response: { type: "run" } }
  if (repeated.response.type === "nudge") markNudged(attempt)
  return repeated
}

/**
 * The error of a call that repeats others and that a rule denies: it is not asked about, and would else go on for ever.
 * Undefined for a call that repeats none.
 */
export function deniedRepetition(attempt: Attempt, repeated: Repeated | undefined): RepetitionError | undefined {
  if (!repeated || repeated.response.type === "run" || repeated.unasked.type === "run") return undefined
  const { type, message } = repeated.unasked
  if (type === "nudge") markNudged(attempt)
  return new RepetitionError(message, type)
}

function markNudged(attempt: Attempt): void {
  attempt.part = { ...attempt.part, metadata: { ...attempt.part.metadata, [NUDGED]: true } }
}

/** Whether a rule says by name that calls of the tool may repeat. One that allows everything does not mean endless loops. */
function mayRepeat(rules: PermissionRules, tool: string): boolean {
  const { action, rule } = decidePermission(rules, { permission: DOOM_LOOP, patterns: [tool] })
  return action === "allow" && rule?.permission === DOOM_LOOP
}

/** Later calls are compared with what the model wrote, whatever else is stored as the call's input. */
export function keepLoopKey(part: UnsettledToolPart, repeated: Repeated | undefined): UnsettledToolPart {
  return repeated ? { ...part, metadata: { ...part.metadata, loopKey: repeated.key } } : part
}

/**
 * What a call that would repeat others once too often needs besides: a person who lets it go on. Throws RepetitionError where
 * no person is to be asked.
 */
export function repetitionNeeds(
  { call, earlier = [] }: Pick<Going, "call" | "earlier">,
  repeated: Repeated | undefined,
): readonly PermissionNeed[] {
  const response = repeated?.response ?? askedEarlier(earlier)
  if (response.type === "run") return []
  if (response.type !== "ask") throw new RepetitionError(response.message, response.type)
  return [{ permission: DOOM_LOOP, patterns: [call.tool], metadata: { message: response.message } }]
}

/** A call that goes on was counted when it was new. */
function askedEarlier(earlier: readonly QuestionPart[]): { type: "run" } | { type: "ask"; message: string } {
  for (const { about } of earlier) {
    if (about.type !== "permission" || about.permission !== DOOM_LOOP) continue
    const { message } = about.metadata
    return { type: "ask", message: typeof message === "string" ? message : "The model repeats a call." }
  }
  return { type: "run" }
}

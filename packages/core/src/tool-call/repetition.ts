import { RepetitionError } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import { NUDGED } from "../repetition/turn-calls.ts"
import { decidePermission, type PermissionRules } from "../permission/rules.ts"
import type { QuestionPart } from "../record/message.ts"
import type { RepetitionGuard } from "../repetition/repetition-guard.ts"
import type { Attempt, UnsettledToolPart } from "./attempt.ts"
import type { PermissionNeed } from "../contracts/tool.ts"
import type { CallInProgress } from "./call-deps.ts"

const DOOM_LOOP = "doom_loop"

type Repeated = ReturnType<RepetitionGuard["onCall"]>

/** Counts the call, and marks it if it repeats others. */
export function countCall(
  policies: Pick<RepetitionGuard, "onCall">,
  rules: PermissionRules,
  { call, attempt }: Pick<CallInProgress, "call" | "attempt">,
  args: JSONObject,
): Repeated {
  const repeated = policies.onCall(call.tool, args, call.messageID)
  if (repeated.response.type === "run") return repeated
  attempt.part = keepLoopKey(attempt.part, repeated)
  // If the user can be asked, all rules decide first.
  if (repeated.response.type !== "ask" && mayRepeat(rules, call.tool)) return { ...repeated, response: { type: "run" } }
  if (repeated.response.type === "nudge") markNudged(attempt)
  return repeated
}

/**
 * Returns the error of a repeated call that a rule denies. No question stops such calls, so they could repeat for ever.
 * Undefined for a call that does not repeat others.
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

/**
 * Returns whether a rule for `doom_loop` allows repeated calls of the tool. A rule for all permissions does not count.
 */
function mayRepeat(rules: PermissionRules, tool: string): boolean {
  const { action, rule } = decidePermission(rules, { permission: DOOM_LOOP, patterns: [tool] })
  return action === "allow" && rule?.permission === DOOM_LOOP
}

/** Stores the key of the model's own arguments, with which later calls are compared, whatever input is stored. */
export function keepLoopKey(part: UnsettledToolPart, repeated: Repeated | undefined): UnsettledToolPart {
  return repeated ? { ...part, metadata: { ...part.metadata, loopKey: repeated.key } } : part
}

/**
 * Returns the additional need of a call that repeats others too often: the user's permission. Throws RepetitionError if
 * the user is not to be asked.
 */
export function repetitionNeeds(
  { call, earlier = [] }: Pick<CallInProgress, "call" | "earlier">,
  repeated: Repeated | undefined,
): readonly PermissionNeed[] {
  const response = repeated?.response ?? askedEarlier(earlier)
  if (response.type === "run") return []
  if (response.type !== "ask") throw new RepetitionError(response.message, response.type)
  return [{ permission: DOOM_LOOP, patterns: [call.tool], metadata: { message: response.message } }]
}

/** Returns the earlier question of a resumed call, which was counted when it was new. */
function askedEarlier(earlier: readonly QuestionPart[]): { type: "run" } | { type: "ask"; message: string } {
  for (const { about } of earlier) {
    if (about.type !== "permission" || about.permission !== DOOM_LOOP) continue
    const { message } = about.metadata
    return { type: "ask", message: typeof message === "string" ? message : "The model repeats a call." }
  }
  return { type: "run" }
}

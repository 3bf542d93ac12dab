import { RepetitionError } from "../errors.ts"
import type { JSONObject } from "../json.ts"
import { NUDGED } from "../context/repetition/turn-calls.ts"
import type { QuestionPart } from "./message.ts"
import type { RepetitionGuard } from "./repetition-guard.ts"
import type { Attempt, ToolCallInfo, UnsettledToolPart } from "./tool-call-attempt.ts"
import type { Going, ToolCallDeps, ToolCallScene } from "./tool-call-scene.ts"

const DOOM_LOOP = "doom_loop"

type Repeated = ReturnType<RepetitionGuard["call"]>

/** Counts the call, and marks it where it repeats others. */
export function countCall(scene: ToolCallScene, call: ToolCallInfo, attempt: Attempt, args: JSONObject): Repeated {
  const repeated = scene.repetition.call(call.tool, args, call.messageID)
  const { response } = repeated
  if (response.type === "run") return repeated
  const part = keepLoopKey(attempt.part, repeated)
  attempt.part = response.type === "nudge" ? { ...part, metadata: { ...part.metadata, [NUDGED]: true } } : part
  return repeated
}

/** Later calls are compared with what the model wrote, whatever else is stored as the call's input. */
export function keepLoopKey(part: UnsettledToolPart, repeated: Repeated | undefined): UnsettledToolPart {
  return repeated ? { ...part, metadata: { ...part.metadata, loopKey: repeated.key } } : part
}

/** Throws RepetitionError where the call would repeat others once too often, unless a person lets it go on. */
export async function keepFromRepeating(
  deps: ToolCallDeps,
  { rules, signal }: ToolCallScene,
  { call, questions, earlier = [] }: Going,
  repeated: Repeated | undefined,
): Promise<void> {
  const response = repeated?.response ?? askedEarlier(earlier)
  if (response.type === "run") return
  if (response.type !== "ask") throw new RepetitionError(response.message, response.type)
  const metadata = { message: response.message }
  const needs = [{ permission: DOOM_LOOP, patterns: [call.tool], metadata }]
  await deps.authorize(deps, call, needs, { rules, questions, signal })
  repeated?.allow()
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

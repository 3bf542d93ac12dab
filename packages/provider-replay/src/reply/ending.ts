import type { FinishReason } from "@pawl/core/provider"
import type { Reply, ReplyStep } from "./reply.ts"

/**
 * Returns the finish reason of the script. Default: `tool-calls` if there is a call for the engine to run, else `stop`.
 */
export function reasonOf(reply: Reply): FinishReason {
  const scripted = reply.map(scriptedReason).find((reason) => reason !== undefined)
  return scripted ?? (reply.some(isOurCall) ? "tool-calls" : "stop")
}

/** Returns true for a call that the engine runs, not the provider. */
export function isOurCall(step: ReplyStep): boolean {
  return step.type === "call" || (step.type === "tool-call" && step.providerExecuted !== true)
}

function scriptedReason(step: ReplyStep): FinishReason | undefined {
  return step.type === "ending" || step.type === "finish" ? step.reason : undefined
}

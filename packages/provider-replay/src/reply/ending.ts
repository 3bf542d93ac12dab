import type { FinishReason } from "@pawl/core/provider"
import type { Reply, ReplyStep } from "./reply.ts"

/** Why the model stops: what the script says, else `tool-calls` when we are to run a tool, else `stop`. */
export function reasonOf(reply: Reply): FinishReason {
  const told = reply.map(toldReason).find((reason) => reason !== undefined)
  return told ?? (reply.some(isOurCall) ? "tool-calls" : "stop")
}

/** A call that is not the provider's own business. */
export function isOurCall(step: ReplyStep): boolean {
  return step.type === "call" || (step.type === "tool-call" && step.providerExecuted !== true)
}

function toldReason(step: ReplyStep): FinishReason | undefined {
  return step.type === "ending" || step.type === "finish" ? step.reason : undefined
}

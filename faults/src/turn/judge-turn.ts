import type { MessageWithParts } from "@pawl/core/storage"

/** Compares a session that was continued after a crash with the executed calls. Reports contradictions. */
export function judgeTurn(messages: readonly MessageWithParts[], executed: readonly string[]): string[] {
  const problems: string[] = []
  for (const { info, parts } of messages) {
    if (info.role === "assistant" && info.time.completed === undefined) problems.push(`${info.id} was never completed.`)
    for (const part of parts) {
      if (part.type !== "tool") continue
      const { status } = part.state
      if (status === "pending" || status === "running") problems.push(`Call ${part.callID} is still ${status}.`)
      if (status === "completed" && !executed.includes(part.callID)) {
        problems.push(`Call ${part.callID} has a result and was never executed.`)
      }
    }
  }
  for (const callID of new Set(executed)) {
    const times = executed.filter((each) => each === callID).length
    if (times > 1) problems.push(`Call ${callID} was executed ${times} times.`)
  }
  return problems
}

import type { CallProcesses } from "../contracts/call-processes.ts"
import { callKey } from "../record/call-key.ts"
import type { MessageWithParts, ToolPart } from "../record/message.ts"

/**
 * Ends what engines that are dead have left: the processes of running calls, and all that is known of besides. Resolves
 * with the calls that worked in processes alone and of which every process that could be found was ended. Never rejects: what
 * cannot be ended is not known to be stopped.
 */
export async function endLeft(
  processes: CallProcesses | undefined,
  messages: readonly MessageWithParts[],
): Promise<ReadonlySet<ToolPart["id"]>> {
  const left = messages.flatMap(({ info, parts }) => {
    const isOpen = info.role === "assistant" && info.time.completed === undefined
    return isOpen
      ? parts.filter((part): part is ToolPart => part.type === "tool" && part.state.status === "running")
      : []
  })
  if (!processes) return new Set()
  const calls = left.map((part) => ({ key: callKey(part), ...ownerOf(part) }))
  const stopped = await processes.endLeft(calls).catch(() => new Set<string>())
  return new Set(left.filter((part) => stopped.has(callKey(part))).map(({ id }) => id))
}

/** Stored for calls that work in processes alone. */
function ownerOf({ metadata }: ToolPart): { owner?: string } {
  const owner = metadata?.["owner"]
  return typeof owner === "string" ? { owner } : {}
}

import type { CallProcesses } from "../contracts/call-processes.ts"
import { callKey } from "../record/call-key.ts"
import type { MessageWithParts, ToolPart } from "../record/message.ts"

/**
 * Ends the processes that dead engines left: those of running calls, and all others that are known. Resolves with the
 * calls that worked in processes only and whose processes, as far as they were found, have all ended. Never rejects:
 * processes that cannot be ended do not count as stopped.
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

/** Returns the owner, which is stored with calls that work in processes only. */
function ownerOf({ metadata }: ToolPart): { owner?: string } {
  const owner = metadata?.["owner"]
  return typeof owner === "string" ? { owner } : {}
}

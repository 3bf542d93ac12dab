import type { FileChange, MessageWithParts, PatchPart, ToolPart, UncoveredFile } from "../record/message.ts"

/** The changes of a call, with the time of their end in epoch milliseconds. */
export interface CallChanges {
  readonly callID: string | undefined
  readonly time: number
  readonly changes: readonly FileChange[]
  readonly uncovered: readonly UncoveredFile[]
}

/** The place of a message or part in a session. */
export interface SessionPoint {
  readonly messageID: string
  /** Missing: the message as a whole. */
  readonly partID?: string | undefined
}

/** Returns whether the part lies at the point or behind it. */
export function isFrom(point: SessionPoint, messageID: string, partID: string): boolean {
  if (messageID !== point.messageID) return messageID > point.messageID
  return point.partID === undefined || partID >= point.partID
}

/** Returns the earlier one of two points. */
export function earlier(a: SessionPoint, b: SessionPoint): SessionPoint {
  if (a.messageID !== b.messageID) return a.messageID < b.messageID ? a : b
  return (a.partID ?? "") <= (b.partID ?? "") ? a : b
}

/**
 * Returns the changes of each call in the message, and of undos that a prompt made final, in the order of the parts. A
 * call that was found to have changed files has a patch part, which replaces what was recorded before it ran.
 */
export function changesOf({ info, parts }: MessageWithParts, isWanted: (partID: string) => boolean): CallChanges[] {
  const patches = parts.filter((part): part is PatchPart => part.type === "patch")
  const calls = parts.flatMap((part): CallChanges[] => {
    if (part.type !== "tool" || !isWanted(part.id)) return []
    const own = patches.filter(({ callID }) => callID === part.callID)
    return withChanges({ callID: part.callID, time: endOf(part, info.time.created), ...merged([part, ...own]) })
  })
  const others = patches.flatMap((patch): CallChanges[] => {
    if (patch.callID !== undefined || !isWanted(patch.id)) return []
    return withChanges({ callID: undefined, time: info.time.created, ...merged([patch]) })
  })
  return [...others, ...calls]
}

function endOf({ state }: ToolPart, otherwise: number): number {
  if (state.status === "completed" || state.status === "error") return state.time.end
  return state.status === "running" ? state.time.start : otherwise
}

type Recorded = Pick<PatchPart, "changes" | "uncovered">

/** Later records of a path replace earlier ones, but the oldest content before stays. */
function merged(records: readonly Recorded[]): Pick<CallChanges, "changes" | "uncovered"> {
  const changes = new Map<string, FileChange>()
  for (const change of records.flatMap((record) => record.changes ?? [])) {
    const known = changes.get(change.path)
    changes.set(change.path, known ? { ...change, before: known.before } : change)
  }
  return { changes: [...changes.values()], uncovered: records.flatMap((record) => record.uncovered ?? []) }
}

function withChanges(call: CallChanges): CallChanges[] {
  return call.changes.length > 0 || call.uncovered.length > 0 ? [call] : []
}

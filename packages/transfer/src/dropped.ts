import type { SessionID } from "@pawl/core/storage"

/** A part of a foreign session that is not imported, because it would grant rights or start actions here. */
export interface Dropped {
  readonly sessionID: SessionID
  readonly kind: DroppedKind
  /** Details for the user. */
  readonly what: string
}

export type DroppedKind =
  /** An `always` answer to a permission question. */
  | "approval"
  /** A rule that allows. */
  | "rule"
  | "tool"
  | "agent"
  | "directory"
  | "parent"
  /** A tool call that would run when the session is continued. */
  | "call"
  /** An approved plan, which would switch to another agent. */
  | "plan"
  /** A subagent that an unanswered prompt names, which would start without a question. */
  | "mention"
  | "subtask"
  /** A queued prompt. */
  | "prompt"
  /** A system prompt, or a prompt's addition to it. */
  | "system"
  | "share"
  | "revert"
  /** A change of a file, which undo would take back here. */
  | "change"

/** Returns the entries of sessions that were written. Sessions that existed already were not changed. */
export function droppedOf(
  dropped: readonly Dropped[],
  sessions: readonly { readonly id: SessionID; readonly outcome: string }[],
): Dropped[] {
  const written = new Set(
    sessions.filter(({ outcome }) => outcome === "added" || outcome === "updated").map(({ id }) => id),
  )
  return dropped.filter(({ sessionID }) => written.has(sessionID))
}

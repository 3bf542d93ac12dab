import type { SessionID } from "@pawl/core/storage"

/** A thing of a session from elsewhere that would steer or widen what is done here, and that is left out. */
export interface Dropped {
  readonly sessionID: SessionID
  readonly kind: DroppedKind
  /** For people: what exactly. */
  readonly what: string
}

export type DroppedKind =
  /** An answer of `always`. */
  | "approval"
  /** A rule that allows. */
  | "rule"
  | "tool"
  | "agent"
  | "directory"
  | "parent"
  /** A call that would run when the session is continued. */
  | "call"
  /** An approval of a plan, by which another agent would take over. */
  | "plan"
  /** A subagent that an unanswered prompt names, and that would work unasked. */
  | "mention"
  | "subtask"
  /** A prompt that waited to be delivered. */
  | "prompt"
  /** A system prompt, or what a prompt adds to it. */
  | "system"
  | "share"
  | "revert"

/** That of sessions which were written; of one that was there already nothing new is left out. */
export function droppedOf(
  dropped: readonly Dropped[],
  sessions: readonly { readonly id: SessionID; readonly outcome: string }[],
): Dropped[] {
  const written = new Set(
    sessions.filter(({ outcome }) => outcome === "added" || outcome === "updated").map(({ id }) => id),
  )
  return dropped.filter(({ sessionID }) => written.has(sessionID))
}
